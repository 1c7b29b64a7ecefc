// The page's half of package dom: walks the composed (flat) tree of one frame and returns raw facts.
// It decides nothing. It shares the registry globalThis[Symbol.for('harness')] with the other page scripts:
//   id(el) -> number, el(id) -> element or null   numbers that stay with an element as long as its document lives
//   listens(el) -> boolean                        set by the browser's page script: a pointer or key listener was added
//   rootOf(host) -> ShadowRoot or null            likewise: shadow roots, closed ones too
//   facts({needles, css}) -> {n, a, s, …}         n: 9 numbers a node (id, parent, tag, facts, x, y, w, h in 1/64 CSS px, text or
//                                                 value; -1: none); a: 3 an attribute (node, name, value); s: the strings they name
//   snapshot({needles, css}) -> string            the same, packed for Decode in decode.go; see pack.js
// On a page of 50,000 nodes every word that is asked of each element costs a millisecond or two, and a computed style more: what
// can be known without asking is not asked. The passes over the list are short loops, which the engine makes faster code of than
// of one that does all.
(() => {
  const h = globalThis[Symbol.for('harness')] ||= {};
  if (h.facts) return;
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
  // What an element hands on to what is below it.
  const HIDDEN = 1, SEE_THROUGH = 2, INERT = 4, EDITED = 8;

  const SKIP = new Set(['script', 'style', 'noscript', 'template', 'link', 'meta', 'head', 'base', 'param', 'source', 'track', 'col', 'colgroup']);
  const CONTROL = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);
  const NO_OVERFLOW = new Set(['inline', 'table-row', 'table-row-group', 'table-header-group', 'table-footer-group']);
  const SEEN = { visibilityProperty: true, opacityProperty: true };
  const STRIDE = 9, NONE = [], BLANK = /[ \t\r\n\f]+/g;
  const NAMES = new Map();
  const lower = s => { let l = NAMES.get(s); if (l === undefined) NAMES.set(s, l = s.toLowerCase()); return l; };
  const MAX_ATTR = 300, MAX_TEXT = 2000;
  const cut = (s, most) => s.length > most ? s.slice(0, most) : s;

  const rootOf = el => el.shadowRoot || (h.rootOf ? h.rootOf(el) : null);
  const focusedIn = () => {
    let a = document.activeElement;
    for (let r; a && (r = rootOf(a)) && r.activeElement;) a = r.activeElement;
    return a === document.body ? null : a;
  };
  const hasHandler = el => !!(el.onclick || el.onmousedown || el.onmouseup || el.onpointerdown || el.onpointerup || el.ontouchstart ||
    el.ontouchend || el.onkeydown || el.ondblclick || (h.listens && h.listens(el)));

  function ownFacts(el, tag) {
    let f = 0;
    switch (tag) {
      case 'input':
        if (el.checked) f |= Checked;
        if (el.indeterminate) f |= Mixed; // falls through
      case 'textarea':
        if (el.readOnly) f |= ReadOnly; // falls through
      case 'select':
        if (el.required) f |= Required;
        break;
      case 'option':
        if (el.selected) f |= Selected;
        break;
      case 'canvas': case 'video': case 'object': case 'embed':
        return Canvas;
      case 'dialog':
        if (el.open && el.matches(':modal')) f |= Modal;
    }
    if (CONTROL.has(tag) && el.matches(':disabled')) f |= Disabled;
    if (el.popover && el.matches(':popover-open')) f |= Modal;
    return f;
  }

  function valueOf(el, tag) {
    if (tag === 'input') return el.type === 'password' ? '\u2022'.repeat(el.value.length) : el.type === 'file' ? [...el.files].map(x => x.name).join(', ') : el.value;
    if (tag === 'textarea') return el.value;
    if (tag === 'select') return [...el.selectedOptions].map(o => o.text).join(', ');
    return null;
  }

  const generated = (el, which) => {
    const c = getComputedStyle(el, which).content;
    if (!c || c === 'none' || c === 'normal' || c[0] !== '"') return '';
    return c.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1');
  };
  const iconGlyph = s => /^[\ue000-\uf8ff\s]*$/.test(s);

  // generates reports whether any style sheet of the root may make ::before or ::after; sheets are read once.
  const sheets = new WeakMap();
  const PSEUDO = /:(before|after)/i;
  function sheetGenerates(sheet) {
    try {
      const rules = sheet.cssRules, known = sheets.get(sheet);
      if (known && known.n === rules.length) return known.yes;
      let yes = false;
      for (let i = 0; i < rules.length && !yes; i++) yes = rules[i].styleSheet ? sheetGenerates(rules[i].styleSheet) : PSEUDO.test(rules[i].cssText);
      sheets.set(sheet, { n: rules.length, yes });
      return yes;
    } catch { return true; } // of another origin
  }
  const generates = root => {
    for (const s of root.styleSheets) if (sheetGenerates(s)) return true;
    for (const s of root.adoptedStyleSheets || NONE) if (sheetGenerates(s)) return true;
    return false;
  };

  // tree lists the composed tree in document order: every node's parent by place, the nodes of elements and texts, and the texts.
  function tree(keep) {
    const nodes = [null], parents = [-1], texts = [null], facts = [Rendered], mixed = new Set();
    const add = (node, parent, text, f) => { parents.push(parent); texts.push(text); facts.push(f); return nodes.push(node) - 1; };

    function element(el, parent, space) {
      const tag = lower(el.tagName);
      if (SKIP.has(tag) || (keep && !keep.has(el))) return;
      const me = add(el, parent, null, space ? SpaceBefore : 0);
      switch (tag) {
        case 'svg': case 'optgroup': case 'textarea': return;
        case 'select': case 'datalist': for (const o of el.querySelectorAll('option,optgroup')) element(o, me, false); return;
        case 'option': add(null, me, cut(el.text, MAX_TEXT), 0); return;
        case 'slot': {
          const given = el.assignedNodes();
          if (given.length) children(given[0], given, given.some(n => n.nodeType === 1), me);
          else childrenOf(el, me);
          return;
        }
      }
      const root = rootOf(el);
      if (root) facts[me] |= ShadowHost;
      childrenOf(root || el, me);
    }
    // children are the nodes of a list, or those from the first child on; among: there are elements among them.
    function children(first, list, among, parent) {
      let space = false;
      for (let n = first, i = 0; n; n = list ? list[++i] : n.nextSibling) {
        const type = n.nodeType;
        if (type === 1) { element(n, parent, space); space = false; continue; }
        if (type !== 3) continue;
        const s = n.data.replace(BLANK, ' ');
        if (s === ' ' || s === '') { space = space || s === ' '; continue; }
        const me = add(n, parent, cut(s, MAX_TEXT), space ? SpaceBefore : 0);
        if (among) mixed.add(me);
        space = false;
      }
    }
    const childrenOf = (n, parent) => children(n.firstChild, null, !!n.firstElementChild, parent);
    if (document.documentElement) element(document.documentElement, 0, false);
    return { nodes, parents, texts, facts, mixed };
  }

  // styles adds what only the computed style tells, and what is handed down to each node.
  function styles({ nodes, parents, facts }) {
    const below = new Uint8Array(nodes.length);
    for (let i = 1; i < nodes.length; i++) {
      const el = nodes[i], over = below[parents[i]];
      below[i] = over;
      if (!el || el.nodeType !== 1 || over & HIDDEN) continue;
      const cs = getComputedStyle(el), display = cs.display;
      if (display === 'none') { below[i] |= HIDDEN; continue; }
      if (display === 'contents') { facts[i] |= Inline; continue; }
      let f = Rendered;
      if (!el.checkVisibility(SEEN)) {
        if (!el.checkVisibility()) { below[i] |= HIDDEN; continue; }
        if (cs.visibility !== 'visible') f |= Invisible;
        if (over & SEE_THROUGH || cs.opacity === '0') { f |= Transparent; below[i] |= SEE_THROUGH; }
      }
      if (display.startsWith('inline')) f |= Inline;
      if (cs.cursor === 'pointer') f |= Pointer;
      if (cs.pointerEvents === 'none') f |= NoPointer;
      const pos = cs.position;
      if (pos !== 'static') f |= Positioned | (pos === 'absolute' ? Absolute : pos === 'fixed' ? Fixed : 0);
      if (!NO_OVERFLOW.has(display) && (el.firstElementChild || el.shadowRoot || el.tagName === 'TEXTAREA')) f |= overflows(el, cs);
      facts[i] |= f;
    }
    for (let i = 1; i < nodes.length; i++) if (facts[i] & Absolute) hold(parents[i], nodes, parents, facts);
    return below;
  }
  function overflows(el, cs) {
    const both = cs.overflow;
    if (both === 'visible') return 0;
    const [ox, oy = ox] = both.split(' ');
    let f = Clips;
    if ((oy === 'auto' || oy === 'scroll') && el.scrollHeight > el.clientHeight + 1) f |= ScrollsY;
    if ((ox === 'auto' || ox === 'scroll') && el.scrollWidth > el.clientWidth + 1) f |= ScrollsX;
    return f;
  }
  // hold marks the element that an absolute one hangs on where a transform makes it so.
  function hold(i, nodes, parents, facts) {
    for (; i > 0 && !(facts[i] & Positioned); i = parents[i]) {
      if (facts[i] & Rendered && getComputedStyle(nodes[i]).transform !== 'none') facts[i] |= Positioned;
    }
  }

  // states adds what elements say of themselves.
  function states({ nodes, parents, facts }, below) {
    const focused = focusedIn();
    for (let i = 1; i < nodes.length; i++) {
      const el = nodes[i];
      if (!el || el.nodeType !== 1) continue;
      let f = 0;
      const over = below[parents[i]];
      below[i] |= over & (INERT | EDITED);
      if (el.tabIndex >= 0) f |= Focusable;
      if (el === focused) f |= Focused;
      if (el.isContentEditable) { if (!(over & EDITED)) f |= Editable; below[i] |= EDITED; } else below[i] &= ~EDITED;
      if (el.inert) below[i] |= INERT;
      if (below[i] & INERT) f |= Disabled;
      if (hasHandler(el)) f |= Listener;
      facts[i] |= f;
    }
    for (let i = 1; i < nodes.length; i++) {
      const el = nodes[i];
      if (el && el.nodeType === 1) facts[i] |= ownFacts(el, lower(el.tagName));
    }
  }

  // boxes are the boxes of the elements and of the texts that stand beside elements, in 1/64 CSS px.
  function boxes({ nodes, parents, facts, mixed }, below) {
    const out = new Int32Array(nodes.length * 4), range = document.createRange();
    for (let i = 1; i < nodes.length; i++) {
      const n = nodes[i];
      let r = null;
      if (facts[i] & Rendered) r = n.getBoundingClientRect();
      else if (mixed.has(i) && !(below[parents[i]] & HIDDEN)) { range.selectNodeContents(n); r = range.getBoundingClientRect(); facts[i] |= Rendered; }
      else continue;
      const at = i * 4;
      out[at] = Math.round(r.x * 64);
      out[at + 1] = Math.round(r.y * 64);
      out[at + 2] = Math.round(r.width * 64);
      out[at + 3] = Math.round(r.height * 64);
    }
    out[2] = Math.round(innerWidth * 64);
    out[3] = Math.round(innerHeight * 64);
    return out;
  }

  // written makes the lists of numbers and strings. Whether ::before and ::after are asked for: in a part of a page without
  // further ado, in a whole page where any sheet makes them.
  function written(t, box, part) {
    const { nodes, parents, texts, facts } = t, count = nodes.length;
    const N = new Int32Array(count * STRIDE), A = [], list = [], at = new Map();
    const put = s => { let i = at.get(s); if (i === undefined) { at.set(s, i = list.length); list.push(s); } return i; };
    const pseudos = new Map(); // by root
    const pseudoIn = root => {
      let yes = pseudos.get(root);
      if (yes === undefined) pseudos.set(root, yes = generates(root) || (!!root.host && pseudoIn(root.host.getRootNode())));
      return yes;
    };
    const shadows = facts.some(f => f & ShadowHost);
    const pseudo = el => part || pseudoIn(shadows ? el.getRootNode() : document);
    for (let i = 0; i < count; i++) {
      const n = nodes[i], el = n && n.nodeType === 1 ? n : null, tag = el ? lower(el.tagName) : i ? '#text' : '#document', o = i * STRIDE;
      const text = el ? valueOf(el, tag) : texts[i];
      N[o] = el ? h.id(el) : 0;
      N[o + 1] = parents[i];
      N[o + 2] = put(tag);
      for (let k = 0; k < 4; k++) N[o + 4 + k] = box[i * 4 + k];
      N[o + 8] = text === null ? -1 : put(text);
      if (el) {
        const attr = (name, value) => A.push(i, put(name), put(cut(value, MAX_ATTR)));
        if (el.hasAttributes()) attributes(el, attr);
        if (facts[i] & Rendered && facts[i] & (Pointer | Focusable | Listener)) facts[i] |= decoration(el, attr, pseudo);
        if (tag === 'svg') { const title = el.querySelector(':scope > title'); if (title) attr('svg-title', title.textContent.trim()); }
      }
      N[o + 3] = facts[i];
    }
    return { n: N, a: A, s: list };
  }
  function attributes(el, attr) {
    for (const n of el.getAttributeNames()) {
      if (n === 'style' || n === 'srcset' || n === 'd' || (n[0] === 'o' && n[1] === 'n')) continue;
      attr(n, el.getAttribute(n));
    }
  }
  // decoration is what style sheets draw on something that may be pressed.
  function decoration(el, attr, pseudo) {
    const ask = pseudo(el), b = ask ? generated(el, '::before') : '', c = ask ? generated(el, '::after') : '';
    if (b && !iconGlyph(b)) attr('::before', b);
    if (c && !iconGlyph(c)) attr('::after', c);
    return (b && iconGlyph(b)) || (c && iconGlyph(c)) || (!el.firstChild && getComputedStyle(el).backgroundImage !== 'none') ? Icon : 0;
  }

  function walk(keep) {
    const t = tree(keep), below = styles(t);
    states(t, below);
    return written(t, boxes(t, below), !!keep);
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

  h.facts = (query = {}) => {
    const keep = query.needles?.length ? h.keepers(query.needles) : null;
    let matches = [], error = '';
    if (query.css) { try { matches = selected(query.css).map(h.id); } catch (e) { error = String(e.message || e); } }
    const d = walk(keep), de = document.documentElement;
    return {
      ...d, url: location.href, title: document.title, lang: de?.lang || '', scale: devicePixelRatio, partial: !!keep, matches, error,
      view: [scrollX, scrollY, innerWidth, innerHeight], height: Math.max(de?.scrollHeight || 0, document.body?.scrollHeight || 0),
    };
  };
})();
