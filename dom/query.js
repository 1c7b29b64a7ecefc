// What a query for words needs of a page: the elements whose texts, attributes or values may be called by them, with what stands
// around those. Part of the page's half of package dom; see snapshot.js for the registry.
//   keepers(needles) -> Set of elements
// It may keep too much and must not miss a rival. A needle stands split over child elements or over text and attributes too
// (Act <b>7</b>, an image's alt in a button): so not the needle is looked for but its rarest word, in the joined text of the
// page, where no element's end cuts a word.
(() => {
  const h = globalThis[Symbol.for('harness')] ||= {};
  if (h.keepers) return;

  // Attributes that may be a part of what an element is called.
  const TELLING = new Set(['aria-label', 'title', 'placeholder', 'aria-placeholder', 'alt', 'value', 'label', 'aria-description', 'aria-valuetext',
    'aria-valuenow', 'data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy', 'data-placeholder']);
  // What browsers write on controls that have no text of their own.
  const DEFAULTS = { submit: 'submit', reset: 'reset', image: 'submit', file: 'choose file' };
  const UNSEEN = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'TITLE', 'HEAD']);
  const CONTROLS = 'a,button,input,select,textarea,label,summary,[role],[onclick],[tabindex],[contenteditable]';
  const MAX_VALUE = 500; // characters of an attribute that is looked at
  const SMALL = 60; // elements of a neighbourhood that is kept whole
  const MAX_HITS = 300;

  // fold makes texts comparable; Fold of package locate does the same and more.
  const BEYOND = /[^\x00-\x7f]/;
  const NO_SIGN = /[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]/g;
  const fold = s => {
    if (!BEYOND.test(s)) return s.toLowerCase();
    return s.normalize('NFKC').toLowerCase().replace(NO_SIGN, '').replace(/\u03c2/g, '\u03c3').replace(/\u00df/g, 'ss');
  };
  const rootOf = el => el.shadowRoot || (h.rootOf ? h.rootOf(el) : null);
  const texts = root => document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_CDATA_SECTION);

  // words of a needle; one of signs alone is its own word.
  const words = needle => fold(needle).match(/[\p{L}\p{N}\p{M}]+/gu) || [needle.trim()];
  const MANY = 64;
  const count = (text, word) => {
    let n = 0;
    for (let i = text.indexOf(word); i >= 0 && n < MANY; i = text.indexOf(word, i + word.length)) n++;
    return n;
  };
  // rarest is the word of the needle that the text holds least often, the longest of several.
  const rarest = (needle, text) => {
    let best = '', least = Infinity;
    for (const w of words(needle)) {
      const n = count(text, w);
      if (n < least || (n === least && w.length > best.length)) { best = w; least = n; }
    }
    return best;
  };

  // joined is the folded text of a root, and its text nodes with the places where each ends where folding moved them.
  function joined(root) {
    const raw = (root === document ? document.documentElement : root)?.textContent || '';
    if (!BEYOND.test(raw)) return { text: raw.toLowerCase(), ends: null };
    const parts = [], ends = [];
    let at = 0;
    const w = texts(root);
    for (let n = w.nextNode(); n; n = w.nextNode()) { const f = fold(n.data); parts.push(f); ends.push(at += f.length); }
    return { text: parts.join(''), ends };
  }

  // textHits are the elements in whose own text a part of one of the words stands.
  function textHits(root, { text, ends }, wanted, hit) {
    const places = [];
    for (const word of wanted) for (let i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + word.length)) places.push([i, i + word.length]);
    if (!places.length) return;
    places.sort((a, b) => a[0] - b[0]);
    const w = texts(root);
    let start = 0, k = 0, p = 0, until = 0;
    for (let n = w.nextNode(); n && (p < places.length || start < until); n = w.nextNode(), k++) {
      const end = ends ? ends[k] : start + n.length;
      for (; p < places.length && places[p][0] < end; p++) until = Math.max(until, places[p][1]);
      if (start < until && end > start) {
        const el = n.parentElement || root.host;
        if (el && !UNSEEN.has(el.tagName)) hit(el);
      }
      start = end;
    }
  }

  // attributeHits walks the elements of a root; it collects what refers to others by id, and the shadow roots.
  function attributeHits(root, holds, hit, refs, roots) {
    const w = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let n = w.nextNode(); n; n = w.nextNode()) {
      const shadow = rootOf(n);
      if (shadow) roots.push(shadow);
      if (!n.hasAttributes()) continue;
      for (const a of n.getAttributeNames()) {
        if (a === 'aria-labelledby' || a === 'for') { refs.push(n); continue; }
        if (!TELLING.has(a)) continue;
        const v = n.getAttribute(a);
        if (v.length < MAX_VALUE && holds(v)) { hit(n); break; }
      }
      const tag = n.tagName;
      if (tag === 'INPUT') { const type = n.type; if (type !== 'password' && (holds(n.value) || (DEFAULTS[type] && holds(DEFAULTS[type])))) hit(n); }
      else if (tag === 'TEXTAREA') { if (holds(n.value)) hit(n); }
    }
  }

  // keepers is null where so much of the page would be kept that a part is no gain.
  h.keepers = needles => {
    const keep = new Set(), hits = new Set(), refs = [], roots = [document];
    const light = joined(document);
    const wanted = [...new Set(needles.map(n => rarest(n, light.text)).filter(Boolean))];
    const holds = s => {
      if (!s) return false;
      const f = fold(s);
      for (const w of wanted) if (f.includes(w)) return true;
      return false;
    };
    const hit = el => hits.add(el);
    for (let i = 0; i < roots.length && hits.size <= MAX_HITS; i++) {
      textHits(roots[i], i ? joined(roots[i]) : light, wanted, hit);
      attributeHits(roots[i], holds, hit, refs, roots);
    }
    if (hits.size > MAX_HITS) return null;
    for (const el of hits) keepAround(el, keep);
    keepReferrers(keep, refs);
    return keep;
  };

  // whole keeps an element with all that is drawn in it.
  function whole(el, keep) {
    keep.add(el);
    inside(el, keep);
    for (const d of el.getElementsByTagName('*')) { keep.add(d); inside(d, keep); }
  }
  function inside(host, keep) {
    const root = rootOf(host);
    if (root) for (const d of root.querySelectorAll('*')) { keep.add(d); inside(d, keep); }
  }
  const small = el => !el.getElementsByTagName('*')[SMALL];
  function up(el, keep) {
    for (let n = el; n && !keep.has(n); n = n.parentElement || n.assignedSlot || n.getRootNode().host) {
      keep.add(n);
      if (n.assignedSlot) up(n.assignedSlot, keep);
    }
  }
  const take = (el, keep) => { up(el, keep); whole(el, keep); };

  // What a name may be made of, or lend its name to: the control around the hit with its labels, what a label names, and small
  // neighbours.
  function keepAround(el, keep) {
    const unit = el.closest(CONTROLS) || el;
    take(unit, keep);
    up(el, keep);
    if (unit.labels) for (const l of unit.labels) take(l, keep);
    const label = el.closest('label');
    if (label?.control) take(label.control, keep);
    for (let n = el.parentElement; n && n !== document.body && small(n); n = n.parentElement) whole(n, keep);
    const row = el.closest('tr,[role=row],li');
    if (row && small(row)) whole(row, keep);
  }

  // What is named by a kept element is kept, and all that names it.
  function keepReferrers(keep, refs) {
    for (const r of refs) {
      const label = r.tagName === 'LABEL';
      const ids = r.getAttribute('aria-labelledby') || (label ? r.htmlFor : '');
      const root = r.getRootNode();
      const named = ids.split(/\s+/).map(id => id && root.getElementById(id)).filter(Boolean);
      if (!keep.has(r) && !named.some(n => keep.has(n))) continue;
      up(r, keep);
      if (small(r)) whole(r, keep);
      for (const n of named) { up(n, keep); if (small(n)) whole(n, keep); }
    }
  }
})();
