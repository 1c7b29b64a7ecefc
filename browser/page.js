// The registry that all page scripts share, globalThis[Symbol.for('harness')]: numbers for elements, and what the page cannot
// be asked for later (listeners, closed shadow roots). It runs in every document before the page's own code.
(() => {
  const key = Symbol.for('harness');
  if (globalThis[key]?.listens) return;
  const h = {};
  Object.defineProperty(globalThis, key, { value: h, configurable: true, writable: true });

  // The page's clock may be set; these are the real ones.
  h.native = {
    now: performance.now.bind(performance),
    setTimeout: globalThis.setTimeout.bind(globalThis),
    origin: performance.timeOrigin,
    frame: globalThis.requestAnimationFrame?.bind(globalThis),
  };

  // plain runs a function without the toJSON that some old libraries give to all arrays and strings.
  h.plain = f => {
    const taken = [];
    for (const o of [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype]) {
      const own = Object.getOwnPropertyDescriptor(o, 'toJSON');
      if (own?.configurable) { delete o.toJSON; taken.push([o, own]); }
    }
    try { return f(); } finally { for (const [o, own] of taken) Object.defineProperty(o, 'toJSON', own); }
  };

  // Numbers. They go on from `floor`, which the Go side sets above every number that this frame has ever given out, so that
  // a number of an earlier document never names an element of this one.
  const { WeakRef } = globalThis, ids = new WeakMap(), els = new Map();
  let last = 0;
  h.floor = n => { if (n > last) last = n; return last; };
  h.id = el => {
    let n = ids.get(el);
    if (!n) { ids.set(el, n = ++last); els.set(n, new WeakRef(el)); }
    return n;
  };
  h.el = n => {
    const el = els.get(n)?.deref();
    return el?.isConnected && el.ownerDocument === document ? el : null;
  };

  // Listeners that say "this can be used". Counted, since they can be removed again.
  const KINDS = new Set(['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'touchend', 'keydown', 'keyup', 'keypress']);
  const listeners = new WeakMap();
  const count = (target, type, by) => {
    if (!KINDS.has(type)) return;
    listeners.set(target, Math.max(0, (listeners.get(target) || 0) + by));
  };
  const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
  // A listener counts once for target, type and capture, as in the page.
  const known = new WeakMap();
  const signature = (type, options) => type + '|' + (typeof options === 'object' && options ? !!options.capture : !!options);
  EventTarget.prototype.addEventListener = named('addEventListener', function (type, fn, options) {
    if (fn && KINDS.has(type) && this?.nodeType === 1) {
      const mine = known.get(this) || new Map(), s = signature(type, options);
      const set = mine.get(s) || new Set();
      if (!set.has(fn)) { set.add(fn); mine.set(s, set); known.set(this, mine); count(this, type, 1); }
    }
    return add.apply(this, arguments);
  }, 2);
  EventTarget.prototype.removeEventListener = named('removeEventListener', function (type, fn, options) {
    if (fn && this?.nodeType === 1 && known.get(this)?.get(signature(type, options))?.delete(fn)) count(this, type, -1);
    return remove.apply(this, arguments);
  }, 2);
  h.listens = el => (listeners.get(el) || 0) > 0;
  h.listen = (target, type, fn, options) => add.call(target, type, fn, options);

  // Shadow roots, closed ones too.
  const roots = new WeakMap();
  h.onShadow = null;
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = named('attachShadow', function () {
    const root = attach.apply(this, arguments);
    roots.set(this, root);
    h.onShadow?.(root);
    return root;
  }, 1);
  h.rootOf = el => el.shadowRoot || roots.get(el) || null;

  // Pages look at the names and lengths of what they call.
  function named(name, fn, length) {
    Object.defineProperty(fn, 'name', { value: name });
    Object.defineProperty(fn, 'length', { value: length });
    return fn;
  }
})();
