// Runs a user's script, an expression or statements, and returns the result as JSON.
async script => {
  let f;
  try { f = (0, eval)(`(async () => (${script}\n))`); } catch (e) {
    if (!(e instanceof SyntaxError)) throw e;
    f = (0, eval)(`(async () => {${script}\n})`);
  }
  const v = await f();
  return JSON.stringify(v === undefined || typeof v === 'function' || typeof v === 'symbol' ? null : typeof v === 'bigint' ? String(v) : v);
}
