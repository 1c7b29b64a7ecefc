// A Playwright selector engine: `harness=12` is the element with the registry number 12. A number that names nothing any more
// throws, which Playwright does not retry; the Go side reads the word.
({
  query(root, selector) {
    const el = globalThis[Symbol.for('harness')]?.el(+selector);
    if (!el) throw new Error('harness: stale');
    return el;
  },
  queryAll(root, selector) {
    return [this.query(root, selector)];
  },
})
