// The page's half of package dom: walks the composed (flat) tree of one frame and returns raw facts as one JSON string.
// It decides nothing. It shares the registry globalThis[Symbol.for('harness')] with the other page scripts:
//   id(el) -> number, el(id) -> element or null   numbers that stay with an element as long as its document lives
//   listens(el) -> boolean                        set by the browser's page script: a pointer or key listener was added
//   rootOf(host) -> ShadowRoot or null            likewise: shadow roots, closed ones too
//   snapshot({needles}) -> string                 see Decode in decode.go for the format
(() => {
  const h = globalThis[Symbol.for('harness')] ||= {};
  if (h.snapshot) return;
  if (!h.id) {
    const ids = new WeakMap(), els = new Map();
    let last = 0;
    h.id = el => {
      let n = ids.get(el);
      if (!n) { ids.set(el, n = ++last); els.set(n, new WeakRef(el)); }
      return n;
    };
    h.el = n => els.get(n)?.deref() ?? null;
  }

  // The bits of dom.Facts.
  const Rendered = 1, Invisible = 2, Transparent = 4, Disabled = 8, Checked = 16, Mixed = 32, Selected = 64, Listener = 128,
    Pointer = 256, Focusable = 512, Editable = 1024, ReadOnly = 2048, Required = 4096, Focused = 8192, ShadowHost = 16384,
    ScrollsY = 32768, ScrollsX = 65536, Clips = 131072, Absolute = 262144, Fixed = 524288, Positioned = 1048576,
    NoPointer = 2097152, Modal = 4194304, Canvas = 8388608, Icon = 16777216, SpaceBefore = 33554432, Inline = 67108864;

  const SKIP = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'LINK', 'META', 'HEAD', 'BASE', 'PARAM', 'SOURCE', 'TRACK', 'COL', 'COLGROUP']);
  const PAINTED = new Set(['CANVAS', 'VIDEO', 'OBJECT', 'EMBED']);
  const ON = ['onclick', 'onmousedown', 'onmouseup', 'onpointerdown', 'onpointerup', 'ontouchstart', 'ontouchend', 'onkeydown', 'ondblclick'];
  const NAMES = new Map();
  const lower = s => { let l = NAMES.get(s); if (l === undefined) NAMES.set(s, l = s.toLowerCase()); return l; };
  const MAX_ATTR = 300, MAX_TEXT = 2000;

  const rootOf = el => el.shadowRoot || (h.rootOf ? h.rootOf(el) : null);
  const focusedIn = () => {
    let a = document.activeElement;
    for (let r; a && (r = rootOf(a)) && r.activeElement;) a = r.activeElement;
    return a === document.body ? null : a;
  };
  const hasHandler = el => {
    for (const k of ON) if (el[k]) return true;
    return !!h.listens && h.listens(el);
  };

  // Strings are sent once and named by their place.
  const newTable = () => {
    const at = new Map(), list = [];
    return { list, put: s => { let i = at.get(s); if (i === undefined) { at.set(s, i = list.length); list.push(s); } return i; } };
  };

  // Folding of the needles; Fold in fold.go does the same and more.
  const fold = s => s.normalize('NFKC').toLowerCase().replace(/[\s\u00a0]+/g, ' ');

  // keepers is the set of elements that a query needs: those that hold a needle in a text or attribute of their own, their
  // ancestors, and what stands around them (see keepAround).
  function keepers(needles) {
    const hits = [], keep = new Set();
    const holds = s => { const f = fold(s); for (const n of needles) if (f.includes(n)) return true; return false; };
    const visit = root => {
      const w = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
      for (let n = w.nextNode(); n; n = w.nextNode()) {
        if (n.nodeType === 3) { if (holds(n.data)) hits.push(n.parentElement || root.host); continue; }
        for (const a of n.attributes) if (a.value.length < 500 && a.name !== 'style' && a.name !== 'class' && holds(a.value)) { hits.push(n); break; }
        if ((n.tagName === 'INPUT' || n.tagName === 'TEXTAREA') && n.value && n.type !== 'password' && holds(n.value)) hits.push(n);
        const r = rootOf(n);
        if (r) visit(r);
      }
    };
    visit(document);
    for (const el of hits) if (el) keepAround(el, keep);
    return keep;
  }
  const CONTROLS = 'a,button,input,select,textarea,label,summary,[role],[onclick],[tabindex],[contenteditable]';
  const whole = (el, keep) => { keep.add(el); for (const d of el.getElementsByTagName('*')) keep.add(d); };
  const up = (el, keep) => {
    for (let n = el; n && !keep.has(n); n = n.parentElement || n.assignedSlot || n.getRootNode().host) { keep.add(n); if (n.assignedSlot) up(n.assignedSlot, keep); }
  };
  // What a name may be made of, or lend its name to: the control around the hit, what a label names, and small neighbours.
  function keepAround(el, keep) {
    const unit = el.closest(CONTROLS) || el;
    up(unit, keep);
    whole(unit, keep);
    up(el, keep);
    const label = el.closest('label');
    if (label?.control) { up(label.control, keep); whole(label.control, keep); }
    for (let n = el; n && n.parentElement && n.parentElement !== document.body; n = n.parentElement) {
      if (n.id) for (const ref of n.getRootNode().querySelectorAll(`[aria-labelledby~="${CSS.escape(n.id)}"],[for="${CSS.escape(n.id)}"]`)) { up(ref, keep); whole(ref, keep); }
      if (n.parentElement.getElementsByTagName('*').length > 60) break;
      whole(n.parentElement, keep);
    }
    const row = el.closest('tr,[role=row],li');
    if (row && row.getElementsByTagName('*').length < 60) whole(row, keep);
  }

  function ownFacts(el, tag, f) {
    if (tag === 'INPUT') {
      if (el.checked) f |= Checked;
      if (el.indeterminate) f |= Mixed;
      if (el.readOnly) f |= ReadOnly;
      if (el.required) f |= Required;
    } else if (tag === 'TEXTAREA') {
      if (el.readOnly) f |= ReadOnly;
      if (el.required) f |= Required;
    } else if (tag === 'SELECT') { if (el.required) f |= Required; }
    else if (tag === 'OPTION') { if (el.selected) f |= Selected; }
    if (PAINTED.has(tag)) f |= Canvas;
    return f;
  }

  function valueOf(el, tag) {
    if (tag === 'INPUT') return el.type === 'password' ? '\u2022'.repeat(el.value.length) : el.type === 'file' ? [...el.files].map(x => x.name).join(', ') : el.value;
    if (tag === 'TEXTAREA') return el.value;
    if (tag === 'SELECT') return [...el.selectedOptions].map(o => o.text).join(', ');
    return null;
  }

  const generated = (el, which) => {
    const c = getComputedStyle(el, which).content;
    if (!c || c === 'none' || c === 'normal' || c[0] !== '"') return '';
    return c.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');
  };
  const iconGlyph = s => /^[\ue000-\uf8ff\s]*$/.test(s);

  h.snapshot = (query = {}) => {
    const t = newTable(), N = [], A = [];
    const keep = query.needles?.length ? keepers(query.needles) : null;
    const focused = focusedIn();
    const put = s => t.put(s);
    const q = v => Math.round(v * 64);
    let count = 0;
    const emit = (id, parent, tag, facts, r, text) => {
      N.push(id, parent, put(tag), facts, r ? q(r.x) : 0, r ? q(r.y) : 0, r ? q(r.width) : 0, r ? q(r.height) : 0, text === null ? -1 : put(text));
      return count++;
    };
    const attr = (node, name, value) => A.push(node, put(name), put(value.length > MAX_ATTR ? value.slice(0, MAX_ATTR) : value));

    // styleFacts reads what only the computed style tells. hidden: an ancestor has no box, and so has nothing below it.
    function styleFacts(el, tag, below) {
      const cs = getComputedStyle(el);
      const display = cs.display;
      if (display === 'none') return { f: 0, below: { hidden: true } };
      if (display === 'contents') return { f: Inline, below };
      let f = 0;
      if (display.startsWith('inline')) f |= Inline;
      if (!below.checked && !el.checkVisibility()) return { f: 0, below: { hidden: true } };
      f |= Rendered;
      if (cs.visibility !== 'visible') f |= Invisible;
      let next = below;
      if (below.transparent || cs.opacity === '0') { f |= Transparent; if (!below.transparent) next = { ...below, transparent: true }; }
      if (cs.cursor === 'pointer') f |= Pointer;
      if (cs.pointerEvents === 'none') f |= NoPointer;
      const pos = cs.position;
      if (pos !== 'static') f |= Positioned | (pos === 'absolute' ? Absolute : pos === 'fixed' ? Fixed : 0);
      if (el.firstElementChild || el.shadowRoot || tag === 'TEXTAREA') {
        const oy = cs.overflowY, ox = cs.overflowX;
        if (oy !== 'visible' || ox !== 'visible') {
          f |= Clips;
          if ((oy === 'auto' || oy === 'scroll') && el.scrollHeight > el.clientHeight + 1) f |= ScrollsY;
          if ((ox === 'auto' || ox === 'scroll') && el.scrollWidth > el.clientWidth + 1) f |= ScrollsX;
        }
        if (!(f & Positioned) && cs.transform !== 'none') f |= Positioned;
      }
      return { f, below: next };
    }

    function element(el, parent, below, space) {
      const tag = el.tagName.toUpperCase();
      if (SKIP.has(tag)) return;
      if (keep && !keep.has(el)) return;
      let f = space ? SpaceBefore : 0, next = below;
      if (!below.hidden) { const s = styleFacts(el, tag, below); f |= s.f; next = s.below; }
      f = ownFacts(el, tag, f);
      if (el.tabIndex >= 0) f |= Focusable;
      if (el === focused) f |= Focused;
      if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) f |= Editable;
      if (hasHandler(el)) f |= Listener;
      const root = rootOf(el);
      if (root) f |= ShadowHost;
      const control = tag === 'BUTTON' || tag === 'INPUT' || tag === 'SELECT' || tag === 'TEXTAREA' || tag === 'OPTION' || tag === 'OPTGROUP' || tag === 'FIELDSET';
      if (below.inert || el.inert || (control && el.matches(':disabled'))) { f |= Disabled; if (el.inert && !next.inert) next = { ...next, inert: true }; }
      if ((tag === 'DIALOG' && el.open && el.matches(':modal')) || (el.popover && el.matches(':popover-open'))) f |= Modal;
      const box = f & Rendered ? el.getBoundingClientRect() : null;
      const me = emit(h.id(el), parent, lower(tag), f, box, valueOf(el, tag));
      for (const a of el.attributes) {
        const n = a.name;
        if (n === 'style' || n === 'srcset' || n === 'd' || (n[0] === 'o' && n[1] === 'n')) continue;
        attr(me, n, a.value);
      }
      if (f & Rendered && (f & (Pointer | Focusable | Listener))) {
        const b = generated(el, '::before'), c = generated(el, '::after');
        if (b && !iconGlyph(b)) attr(me, '::before', b);
        if (c && !iconGlyph(c)) attr(me, '::after', c);
        if ((b && iconGlyph(b)) || (c && iconGlyph(c)) || (!el.firstChild && getComputedStyle(el).backgroundImage !== 'none')) N[me * 9 + 3] |= Icon;
      }
      if (tag === 'SVG') { const title = el.querySelector(':scope > title'); if (title) attr(me, 'svg-title', title.textContent.trim()); return; }
      if (tag === 'SELECT' || tag === 'DATALIST') { for (const o of el.querySelectorAll('option,optgroup')) element(o, me, next, false); return; }
      if (tag === 'OPTION') { text(el.text, me, null, false); return; }
      if (tag === 'OPTGROUP' || tag === 'TEXTAREA') return;
      if (tag === 'SLOT') { const given = el.assignedNodes(); children(given.length ? given : el.childNodes, me, next); return; }
      children(root ? root.childNodes : el.childNodes, me, next);
    }
    const text = (s, parent, box, space) => emit(0, parent, '#text', (box ? Rendered : 0) | (space ? SpaceBefore : 0), box, s.length > MAX_TEXT ? s.slice(0, MAX_TEXT) : s);

    function children(list, parent, below) {
      let space = false, mixed = false;
      for (let i = 0; i < list.length; i++) if (list[i].nodeType === 1) { mixed = true; break; }
      for (let i = 0; i < list.length; i++) {
        const n = list[i];
        if (n.nodeType === 1) { element(n, parent, below, space); space = false; continue; }
        if (n.nodeType !== 3) continue;
        const s = n.data.replace(/[ \t\r\n\f]+/g, ' ');
        if (s === ' ' || s === '') { space = space || s === ' '; continue; }
        let box = null;
        if (mixed && !below.hidden) { const r = document.createRange(); r.selectNodeContents(n); box = r.getBoundingClientRect(); }
        text(s, parent, box, space);
        space = false;
      }
    }

    // selected are the elements that a selector matches in the document and its shadow roots.
    function selected(css) {
      const out = [];
      const visit = root => {
        out.push(...root.querySelectorAll(css));
        for (const el of root.querySelectorAll('*')) { const r = rootOf(el); if (r) visit(r); }
      };
      visit(document);
      return out;
    }
    let matches = [], error = '';
    if (query.css) { try { matches = selected(query.css).map(h.id); } catch (e) { error = String(e.message || e); } }

    const rootIndex = emit(0, -1, '#document', Rendered, { x: 0, y: 0, width: innerWidth, height: innerHeight }, null);
    if (document.documentElement) element(document.documentElement, rootIndex, {}, false);
    const de = document.documentElement;
    return JSON.stringify({
      v: 1, n: N, a: A, s: t.list, url: location.href, title: document.title, lang: de?.lang || '', scale: devicePixelRatio, partial: !!keep, matches, error,
      view: [scrollX, scrollY, innerWidth, innerHeight], height: Math.max(de?.scrollHeight || 0, document.body?.scrollHeight || 0),
    });
  };
})();
