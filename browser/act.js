// What the Go side asks of one element or one point. Functions that take a number answer {stale: true} where it names nothing
// any more. Points and boxes are CSS px in this frame's viewport.
(() => {
  const h = globalThis[Symbol.for('harness')];
  if (h.aim) return;
  const stale = { stale: true };
  const CHECKS = ['aria-checked', 'aria-pressed', 'aria-selected'];
  const TEXTUAL = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

  // parent goes up the composed tree.
  const parent = n => n.assignedSlot || n.parentNode || n.host || null;
  const within = (n, ancestor) => { for (; n; n = parent(n)) if (n === ancestor) return true; return false; };
  const box = r => ({ x: r.x, y: r.y, w: r.width, h: r.height });

  const disabled = el => {
    if (el.matches(':disabled')) return true;
    for (let n = el; n; n = parent(n)) {
      if (n.nodeType !== 1) continue;
      if (n.inert || n.getAttribute('aria-disabled') === 'true') return true;
    }
    return false;
  };
  const editable = el => {
    if (el.isContentEditable) return true;
    if (el.tagName === 'TEXTAREA') return !el.readOnly && !disabled(el);
    return el.tagName === 'INPUT' && TEXTUAL.has(el.type) && !el.readOnly && !disabled(el);
  };
  const value = el => {
    if (el.tagName === 'SELECT') return [...el.selectedOptions].map(o => o.text.trim()).join(', ');
    if (el.tagName === 'INPUT' && el.type === 'file') return [...el.files].map(f => f.name).join(', ');
    if (el.tagName === 'INPUT' || el.tagName === 'TEXTAREA' || el.tagName === 'OPTION') return el.value;
    return el.isContentEditable ? el.innerText.replace(/\n$/, '') : typeof el.value === 'string' ? el.value : '';
  };
  const focused = el => {
    let a = document.activeElement;
    for (let r; a && a !== el && (r = h.rootOf(a)) && r.activeElement;) a = r.activeElement;
    return a === el;
  };

  h.read = id => {
    const el = h.el(id);
    if (!el) return stale;
    return {
      value: value(el), text: (el.innerText ?? el.textContent ?? '').trim(),
      checked: el.tagName === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio') ? el.checked
        : el.tagName === 'OPTION' ? el.selected : CHECKS.some(a => el.getAttribute(a) === 'true'),
      options: el.tagName === 'SELECT' ? [...el.selectedOptions].map(o => o.text.trim()) : null,
      disabled: disabled(el), editable: editable(el), focused: focused(el),
    };
  };

  h.info = () => {
    const d = new Date(), off = -d.getTimezoneOffset();
    return {
      url: location.href, title: document.title, lang: document.documentElement?.lang || '', now: d.getTime(), offset: off * 60,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone, view: { x: scrollX, y: scrollY, w: innerWidth, h: innerHeight }, scale: devicePixelRatio,
    };
  };

  // deepest goes through shadow roots, closed ones too.
  const deepest = (x, y) => {
    let el = document.elementFromPoint(x, y);
    for (let r; el && (r = h.rootOf(el));) {
      const inner = r.elementFromPoint(x, y);
      if (!inner || inner === el || inner.getRootNode() !== r) break;
      el = inner;
    }
    return el;
  };
  // counts: what a press on `hit` does for `el`: it is the element, inside it, or a label and its control.
  const counts = (hit, el) => {
    if (!hit) return false;
    if (within(hit, el)) return true;
    if (hit.tagName === 'SLOT' && within(el, hit)) return true;
    const label = closest(hit, USED + ',label');
    if (label?.tagName === 'LABEL' && label.control && within(label.control, el)) return true;
    return el.tagName === 'LABEL' && el.control ? within(hit, el.control) : false;
  };
  // A link or another control in a label takes the press for itself.
  const USED = 'a[href],button,input,select,textarea,summary,[contenteditable]';
  const closest = (n, selector) => { for (; n; n = parent(n)) if (n.nodeType === 1 && n.matches(selector)) return n; return null; };

  const frameAt = el => el && (el.tagName === 'IFRAME' || el.tagName === 'FRAME' || el.tagName === 'OBJECT' || el.tagName === 'EMBED');
  h.hit = (x, y) => {
    const el = deepest(x, y);
    return el ? { id: h.id(el), frame: !!frameAt(el), box: frameAt(el) ? place(el) : null } : { id: 0 };
  };

  // place says where the content of a frame element lies: the origin of its viewport, and how it is scaled. A turned or skewed
  // frame has no such place.
  const place = el => {
    const r = el.getBoundingClientRect(), cs = getComputedStyle(el);
    const sx = el.offsetWidth ? r.width / el.offsetWidth : 1, sy = el.offsetHeight ? r.height / el.offsetHeight : 1;
    let turned = false;
    for (let n = el; n && !turned; n = parent(n)) {
      if (n.nodeType !== 1) continue;
      const t = getComputedStyle(n);
      const m = t.transform && t.transform !== 'none' ? new DOMMatrix(t.transform) : null;
      if ((m && (!m.is2D || Math.abs(m.b) > 1e-6 || Math.abs(m.c) > 1e-6)) || (t.rotate && t.rotate !== 'none')) turned = true;
    }
    return {
      x: r.x + (el.clientLeft + parseFloat(cs.paddingLeft)) * sx, y: r.y + (el.clientTop + parseFloat(cs.paddingTop)) * sy,
      dx: el.clientLeft + parseFloat(cs.paddingLeft), dy: el.clientTop + parseFloat(cs.paddingTop), sx, sy, turned, box: box(r),
    };
  };
  h.place = id => { const el = h.el(id); return el ? place(el) : stale; };
  // own gives a frame element its number; `name` is what people call it.
  h.own = el => ({ id: h.id(el), name: el.title || el.name || el.id || '' });

  // over asks of the parent of a frame: does a press at the point reach the frame element? `out` says that the point is not in view.
  h.over = (id, x, y) => {
    const el = h.el(id);
    if (!el) return stale;
    const hit = deepest(x, y);
    return { by: hit === el || !hit ? 0 : h.id(hit), out: !hit };
  };

  // points are those of an element that a press could go to: the middle of each box that lies in the viewport, then
  // points further out, since a small thing may lie over the middle.
  const points = el => {
    const out = [];
    const add = (r, fx, fy) => {
      const x0 = Math.max(r.left, 0), y0 = Math.max(r.top, 0), x1 = Math.min(r.right, innerWidth), y1 = Math.min(r.bottom, innerHeight);
      if (x1 - x0 > 0.5 && y1 - y0 > 0.5) out.push({ x: x0 + (x1 - x0) * fx, y: y0 + (y1 - y0) * fy });
    };
    const rects = [...el.getClientRects()].filter(r => r.width > 0 && r.height > 0);
    if (el.tagName === 'AREA') return areaPoints(el);
    if (el.tagName === 'INPUT' && (el.type === 'checkbox' || el.type === 'radio')) { // its label presses it as well
      for (const l of el.labels || []) rects.push(...[...l.getClientRects()].filter(r => r.width > 0 && r.height > 0));
    }
    for (const r of rects) add(r, 0.5, 0.5);
    for (const [fx, fy] of [[0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5]]) for (const r of rects.slice(0, 3)) add(r, fx, fy);
    return out;
  };
  const areaPoints = el => {
    const map = el.closest('map'), img = map?.name && document.querySelector(`img[usemap="#${CSS.escape(map.name)}"]`);
    if (!img) return [];
    const r = img.getBoundingClientRect(), c = el.coords.split(',').map(Number);
    if (el.shape === 'circle') return [{ x: r.x + c[0], y: r.y + c[1] }];
    let x = 0, y = 0;
    for (let i = 0; i + 1 < c.length; i += 2) { x += c[i]; y += c[i + 1]; }
    return [{ x: r.x + 2 * x / c.length, y: r.y + 2 * y / c.length }];
  };
  // reach is the first point at which a press counts for the element; without one, the first point and what lies there.
  const reach = el => {
    let first = null, by = null;
    for (const p of points(el)) {
      const hit = deepest(p.x, p.y);
      if (counts(hit, el)) return { point: p, by: null };
      if (!first) { first = p; by = hit; }
    }
    return { point: first, by };
  };

  // underLabel: a press in the middle of a checkbox or radio would reach its label.
  h.underLabel = el => {
    if (el.tagName !== 'INPUT' || (el.type !== 'checkbox' && el.type !== 'radio') || !el.labels?.length) return false;
    if (!inside(middle(el))) el.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const p = middle(el), hit = inside(p) && deepest(p.x, p.y);
    return !within(hit || el, el) && counts(hit, el);
  };
  const middle = el => { const r = el.getBoundingClientRect(); return { x: r.x + r.width / 2, y: r.y + r.height / 2 }; };
  const inside = p => p.x >= 0 && p.y >= 0 && p.x < innerWidth && p.y < innerHeight;

  // rest waits until the box is the same in two animation frames. Where nothing in the document moves or changes, it is at once.
  const moving = () => document.getAnimations().some(a => a.playState === 'running' && a.effect?.getTiming().iterations !== Infinity);
  const same = (a, b) => Math.abs(a.x - b.x) < 0.01 && Math.abs(a.y - b.y) < 0.01 && Math.abs(a.width - b.width) < 0.01 && Math.abs(a.height - b.height) < 0.01;
  const nextFrame = () => new Promise(done => {
    let over = false;
    const end = () => { if (!over) { over = true; done(); } };
    h.native.frame(end);
    h.native.setTimeout(end, document.hidden ? 50 : 1000); // a hidden page has no frames
  });
  const rest = async (el, until) => {
    if (!moving() && !(h.changedSince && h.changedSince(120))) return true;
    await nextFrame();
    let last = el.getBoundingClientRect();
    for (;;) {
      await nextFrame();
      const now = el.getBoundingClientRect();
      if (same(last, now)) return true;
      if (h.native.now() > until) return false;
      last = now;
    }
  };

  // aim brings the element into view where a press would not reach it now, in the ways that may help, the gentlest first. With
  // `block`, in that way alone; 'none' only looks.
  h.aim = async (id, limit, block) => {
    const el = h.el(id);
    if (!el) return stale;
    const until = h.native.now() + limit;
    let resting = await rest(el, until), r = reach(el);
    const good = () => r.point && !r.by && inside(r.point);
    for (const b of block ? [block] : ['nearest', 'center', 'start', 'end']) {
      if (b === 'none' || (!block && good())) break;
      el.scrollIntoView({ block: b, inline: 'nearest', behavior: 'instant' });
      await nextFrame();
      resting = await rest(el, until);
      r = reach(el);
    }
    if (!el.isConnected) return stale;
    return { point: r.point, box: box(el.getBoundingClientRect()), by: r.by ? h.id(r.by) : 0, rest: resting, disabled: disabled(el) };
  };

  // scroll is told before and after a turn of the wheel: the offsets of the element's scrollers and of the page.
  h.offsets = id => {
    const out = [scrollX, scrollY];
    let el = id ? h.el(id) : null;
    if (id && !el) return stale;
    for (; el; el = parent(el)) if (el.nodeType === 1) out.push(el.scrollLeft, el.scrollTop);
    return { at: out };
  };

  // options gives the values of a select by index, and refuses what is not there.
  h.select = (id, indexes) => {
    const el = h.el(id);
    if (!el) return stale;
    if (el.tagName !== 'SELECT') return { error: 'not a select' };
    for (const i of indexes) if (!el.options[i]) return { error: `no option ${i} of ${el.options.length}` };
    for (const i of indexes) if (el.options[i].disabled || el.options[i].parentNode.disabled) return { disabled: true, error: `option ${JSON.stringify(el.options[i].text)} is disabled` };
    return {};
  };
  h.isFileInput = id => { const el = h.el(id); return el ? { yes: el.tagName === 'INPUT' && el.type === 'file' } : stale; };
  h.describe = id => {
    const el = h.el(id);
    if (!el) return stale;
    const shell = el.cloneNode(false);
    const s = shell.outerHTML || '';
    const text = (el.innerText || '').trim().replace(/\s+/g, ' ');
    return { text: `<${el.tagName.toLowerCase()}${el.id ? ' id=' + JSON.stringify(el.id) : ''}${el.className && typeof el.className === 'string' ? ' class=' + JSON.stringify(el.className) : ''}>${text ? ' ' + JSON.stringify(text.slice(0, 60)) : ''}`, html: s.slice(0, 300) };
  };
})();
