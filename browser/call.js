// Calls a function of the registry and returns the registry's last number, a line feed, and the result as JSON (a string as it
// is). `floor` is the highest number that this frame ever gave out. What is missing in a document that was made before the
// scripts were installed is told by the words 'harness: missing'; the Go side installs and calls again.
async ([name, floor, args]) => {
  const h = globalThis[Symbol.for('harness')], f = h?.[name];
  if (!f) throw new Error('harness: missing');
  h.floor(floor);
  const v = await h.plain(() => f(...args));
  return h.floor(0) + '\n' + (typeof v === 'string' ? v : h.plain(() => JSON.stringify(v ?? null)));
}
