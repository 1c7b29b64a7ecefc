// The packing of facts for Decode (decode.go), part of the page's half of package dom. A page of 50,000 nodes is 3 MB as JSON and
// a third of that so; it is read many times as fast.
//   snapshot(query) -> string   three parts, parted by line feeds: a JSON head; the nodes as base64; the strings, parted by U+0091
// A node is unsigned LEB128 numbers, differences zigzagged: how many levels up from the node before its parent is; tag; index of
// its facts in the head's list; for elements the difference to the last number; for what is rendered the differences of x, y, width
// and height to the last box; text or value; how many attributes; of each the name and the value.
// A string is 0 for none, 1 for the one after the furthest named so far, otherwise 2 + its place. Texts and documents, whose tags
// begin with #, have no number.
(() => {
  const h = globalThis[Symbol.for('harness')] ||= {};
  if (h.snapshot) return;
  const STRIDE = 9, PARTING = '\u0091', Rendered = 1;

  function nodes(d) {
    const { n, a, s } = d, kinds = new Map(), facts = [];
    let bytes = new Uint8Array(1 << 16), at = 0, known = 0, id = 0, x = 0, y = 0, w = 0, hgt = 0, next = 0;
    const depth = new Int32Array(n.length / STRIDE);
    const grow = () => { const more = new Uint8Array(bytes.length * 2); more.set(bytes); bytes = more; };
    const put = v => { for (v >>>= 0; v > 127; v >>>= 7) bytes[at++] = v & 127 | 128; bytes[at++] = v; };
    const diff = v => put(v << 1 ^ v >> 31);
    const string = i => {
      put(i < 0 ? 0 : i === known ? 1 : i + 2);
      if (i >= known) known = i + 1;
    };
    for (let i = 0, k = 0; i < n.length; i += STRIDE, k++) {
      if (at + 128 > bytes.length) grow();
      const up = n[i + 1], tag = n[i + 2], f = n[i + 3];
      if (up >= 0) { depth[k] = depth[up] + 1; put(depth[k - 1] - depth[up]); }
      string(tag);
      let kind = kinds.get(f);
      if (kind === undefined) { kinds.set(f, kind = facts.length); facts.push(f); }
      put(kind);
      if (n[i]) { diff(n[i] - id); id = n[i]; }
      if (f & Rendered) {
        diff(n[i + 4] - x); diff(n[i + 5] - y); diff(n[i + 6] - w); diff(n[i + 7] - hgt);
        x = n[i + 4]; y = n[i + 5]; w = n[i + 6]; hgt = n[i + 7];
      }
      string(n[i + 8]);
      let end = next;
      while (end < a.length && a[end] === k) end += 3;
      put((end - next) / 3);
      for (; next < end; next += 3) { if (at + 16 > bytes.length) grow(); string(a[next + 1]); string(a[next + 2]); }
    }
    return { facts, text: base64(bytes.subarray(0, at)) };
  }

  function base64(bytes) {
    if (bytes.toBase64) return bytes.toBase64();
    let s = '';
    for (let i = 0; i < bytes.length; i += 8192) s += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(s);
  }

  h.snapshot = query => {
    const d = h.facts(query), { facts, text } = nodes(d), { n, a, s, ...head } = d;
    const strings = s.map(x => x.includes(PARTING) ? x.replaceAll(PARTING, ' ') : x).join(PARTING);
    return JSON.stringify({ v: 2, nodes: n.length / STRIDE, strings: s.length, facts, ...head }) + '\n' + text + '\n' + strings;
  };
})();
