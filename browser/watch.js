// The change log: what changed in this document, when, and where. Times are real milliseconds since 1970, so that the Go side
// can say from when on it counts.
(() => {
  const h = globalThis[Symbol.for('harness')];
  if (h.effect) return;
  const MAX = 4000, BEFORE = 1200, LOADING = 500, BURST = 5;
  const { native } = h, { WeakRef } = globalThis;
  const now = () => native.origin + native.now();
  const log = []; // {t, node, kind, what}
  const waiting = new Set();
  let last = 0, loaded = Infinity, pressed = 0, stood = new Map();

  const note = (node, kind, what) => {
    last = now();
    log.push({ t: last, node: node ? new WeakRef(node) : null, kind, what });
    if (log.length > MAX) log.splice(0, MAX / 2);
    for (const look of waiting) look();
  };
  h.changedSince = ms => last > now() - ms;

  const name = n => {
    if (n?.nodeType === 3) n = n.parentElement;
    if (n?.nodeType === 11) n = n.host;
    if (n?.nodeType !== 1) return 'the document';
    const label = n.getAttribute('aria-label') || n.id || '';
    return `<${n.tagName.toLowerCase()}${label ? ' ' + label : ''}>`;
  };
  const STATES = new Set(['checked', 'disabled', 'open', 'selected', 'hidden', 'value', 'class', 'style']);
  const record = records => {
    for (const r of records) {
      if (r.type === 'childList') { note(r.target, 'content', `content of ${name(r.target)} changed`); continue; }
      if (r.type === 'characterData') { note(r.target, 'text', `text of ${name(r.target)} changed`); continue; }
      const a = r.attributeName, v = r.target.getAttribute(a);
      if (r.oldValue === v) continue;
      const told = a.startsWith('aria-') || STATES.has(a) ? ` is now ${JSON.stringify(v)?.slice(0, 80)}` : ' changed';
      note(r.target, '@' + a, `${a} of ${name(r.target)}${told}`);
    }
  };
  const observer = new MutationObserver(record);
  const watch = root => observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });
  watch(document);
  h.onShadow = watch;
  h.listen(document, 'DOMContentLoaded', () => { // declared shadow roots are not attached by a call
    const visit = root => { for (const el of root.querySelectorAll('*')) if (el.shadowRoot) { watch(el.shadowRoot); visit(el.shadowRoot); } };
    visit(document);
  });
  h.listen(globalThis, 'load', () => { loaded = now(); });
  if (document.readyState === 'complete') loaded = now();

  const of = e => e.composedPath()[0];
  const told = { input: n => `value of ${n} changed`, change: n => `value of ${n} changed`, scroll: n => `${n} scrolled`, toggle: n => `${n} was toggled`, close: n => `${n} was closed`, reset: n => `${n} was reset`, focusin: n => `focus is on ${n}` };
  for (const [type, words] of Object.entries(told)) h.listen(globalThis, type, e => {
    const n = of(e);
    if (type === 'scroll' && stood.has(scroller(n)) && stood.get(scroller(n)) === where(scroller(n))) { last = now(); return; }
    note(n, type, words(name(n)));
  }, { capture: true, passive: true });
  // The scroll event of bringing the target into view comes a frame late, after the press: where nothing moved since the press, it
  // is not the press's doing.
  const scroller = n => n === document ? document.scrollingElement : n;
  const where = n => `${n?.scrollLeft},${n?.scrollTop}`;
  for (const type of ['pointerdown', 'keydown']) h.listen(globalThis, type, e => {
    if (!e.isTrusted) return;
    pressed = now();
    stood = new Map([...e.composedPath(), document].map(n => [scroller(n), where(scroller(n))]));
  }, { capture: true, passive: true });
  // A new tab takes a while to be heard of; that one was asked for is known at once. Asked last, when the page's own listeners
  // have had their say.
  const tab = () => note(null, 'tab', 'a new tab opens');
  const elsewhere = t => t && !['_self', '_parent', '_top'].includes(t.toLowerCase()) && !(t in globalThis && globalThis[t]?.window);
  const leads = e => {
    if (e.defaultPrevented || !e.isTrusted) return;
    const path = e.composedPath(), a = e.type === 'submit' ? path[0] : path.find(n => n.href && (n.tagName === 'A' || n.tagName === 'AREA'));
    if (a && elsewhere(e.submitter?.formTarget || a.target)) tab();
  };
  for (const type of ['click', 'submit']) h.listen(globalThis, type, leads);
  const { open } = globalThis;
  globalThis.open = { open(...args) {
    const w = open.apply(this === undefined ? globalThis : this, args);
    if (w) tab();
    return w;
  } }.open;
  if (globalThis.navigation) h.listen(navigation, 'currententrychange', () => note(null, 'address', `address is now ${location.href}`));

  const up = n => n.assignedSlot || n.parentNode || n.host;
  const within = (n, outer) => { for (; n; n = up(n)) if (n === outer) return true; return false; };
  const own = (node, target) => !!target && (within(node, target) || within(target, node) || target.control === node || [...(node.labels || [])].includes(target));

  // found is the first change since `begin` at a place where nothing changed by itself in the time before. `acts` are the times
  // [from, to] of earlier acts, whose changes were not by themselves; nor are the single ones of a page that is loading. Where keys or
  // buttons were pressed since, what came before the press does not count: moving the mouse and scrolling to the target is not
  // what was asked for.
  const found = (begin, target, acts) => {
    const from = Math.max(begin, pressed), noisy = new Map(), series = new Map();
    const noise = (node, kind) => noisy.set(node, (noisy.get(node) || new Set()).add(kind));
    for (const e of log) {
      if (e.t >= begin) break;
      if (e.t < begin - BEFORE) continue;
      const node = e.node?.deref();
      if (!node) continue;
      if (e.t >= loaded + LOADING && !acts.some(a => e.t >= a[0] && e.t <= a[1])) { noise(node, e.kind); continue; }
      const kinds = series.get(node) || new Map(), at = kinds.get(e.kind) || [];
      series.set(node, kinds);
      kinds.set(e.kind, at);
      if (!at.length || e.t - at.at(-1) > BURST) at.push(e.t);
    }
    // What a load or an act started is not by itself, unless it comes again and again, oftener than there were acts, and still does.
    const started = acts.filter(a => a[1] >= begin - BEFORE).length + (loaded + LOADING >= begin - BEFORE ? 1 : 0);
    for (const [node, kinds] of series) for (const [kind, at] of kinds) {
      const last = at.at(-1), every = (last - at[0]) / (at.length - 1);
      if (at.length > 2 * started && begin - last <= 2 * every + 20) noise(node, kind);
    }
    for (const e of log) {
      if (e.t < from || (e.kind === 'scroll' && pressed < begin)) continue;
      const node = e.node?.deref();
      if (node && (noisy.get(node)?.has(e.kind) || (e.kind === 'focusin' && own(node, target)))) continue;
      return e.what;
    }
    return '';
  };
  h.effect = (begin, id, acts, limit) => new Promise(done => {
    const target = id ? h.el(id) : null;
    record(observer.takeRecords());
    const first = found(begin, target, acts);
    if (first || limit <= 0) return done({ text: first });
    const end = text => { waiting.delete(look); done({ text }); };
    const look = () => { const text = found(begin, target, acts); if (text) end(text); };
    waiting.add(look);
    native.setTimeout(() => end(''), limit);
  });

  // settle waits until nothing has changed for `quiet` ms, at most `limit` ms.
  h.settle = (quiet, limit) => new Promise(done => {
    const started = now();
    const look = () => {
      const t = now(), still = t - Math.max(last, started - quiet);
      if (still >= quiet) return done({ rest: true });
      if (t - started >= limit) return done({ rest: false });
      native.setTimeout(look, Math.max(1, Math.min(quiet - still, limit - (t - started))));
    };
    look();
  });
})();
