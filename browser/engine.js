// A Playwright selector engine: `harness=12` is the element with the registry number 12. A number that names nothing any more
// throws, which Playwright does not retry; so does a checkbox or radio that lies under its own label, which Playwright would
// take for covered. The Go side reads the words.
({
  query(root, selector) {
    const h = globalThis[Symbol.for('harness')], el = h?.el(parseInt(selector));
    if (!el) throw new Error('harness: stale');
    if (selector.endsWith('press') && h.underLabel(el)) throw new Error('harness: label');
    return el;
  },
  queryAll(root, selector) {
    return [this.query(root, selector)];
  },
})
