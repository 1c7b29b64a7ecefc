// Writes one frame as HTML that opens offline and shows the document as it stands. It adds to the registry
// globalThis[Symbol.for('harness')] (see page.js and dom/snapshot.js, whose facts it writes down):
//   save({x, y, token, secrets, hidden, main}) -> html
// x, y: place of this frame's viewport in the main viewport, CSS px. token: the content of a frame element goes where token,
// its number and a semicolon stand. secrets: texts to mask; hidden: what stands for one. main: this is the main frame.
// Scripts are left out, and whatever would load, navigate or move by itself.
(() => {
  const h = globalThis[Symbol.for('harness')] ||= {};
  if (h.save) return;

  const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr']);
  const EMPTY = new Set(['script', 'noscript', 'template', 'noframes', 'noembed']); // written without their content
  const DROPPED = new Set(['srcdoc', 'nonce', 'integrity', 'autofocus', 'srcset', 'ping', 'loading', 'http-equiv', 'shadowrootmode', 'manifest']);
  const INERT = new Set(['script', 'object', 'embed', 'frame', 'audio', 'video', 'source', 'track']); // what they load is noted, not loaded
  const CHOSEN = new Set(['checked', 'selected']); // written as they are now
  const MAX_IMAGE = 256 * 256, MAX_CANVAS = 4e6, IMAGES_MS = 12;
  const NODE = 9; // numbers a node takes in the snapshot

  const text = s => /[&<>]/.test(s) ? s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;') : s;
  const quoted = s => /[&<>"]/.test(s) ? text(s).replace(/"/g, '&quot;') : s;
  const short = v => Math.round(v * 100) / 100;
  const absolute = (url, base) => { try { return new URL(url, base).href; } catch { return url; } };

  // Style sheets seldom change and are long: their text is kept until the number of their rules changes.
  const sheets = new WeakMap(), images = new Map();
  function rulesOf(sheet) {
    let rules;
    try { rules = sheet.cssRules; } catch { return null; } // of another origin
    const kept = sheets.get(sheet);
    if (kept && kept.count === rules.length) return kept.css;
    const parts = [];
    for (const r of rules) {
      if (r.type === CSSRule.IMPORT_RULE) { // what it imports stands in its place
        const css = r.styleSheet && rulesOf(r.styleSheet);
        if (css) parts.push(r.media.mediaText ? `@media ${r.media.mediaText}{${css}}` : css);
      } else parts.push(r.cssText);
    }
    let css = parts.join('\n');
    if (sheet.href) css = css.replace(/url\("((?!data:|#|[a-z-]+:)[^"]*)"\)/gi, (_, u) => `url("${absolute(u, sheet.href)}")`);
    sheets.set(sheet, { count: rules.length, css });
    return css;
  }
  const style = (css, attrs) => `<style${attrs}>${css.replace(/<\/(style)/gi, '<\\/$1')}</style>`;
  const medium = s => s.disabled ? ' media="not all"' : s.media?.mediaText ? ` media="${quoted(s.media.mediaText)}"` : '';
  const adopted = root => (root.adoptedStyleSheets || []).map(s => style(rulesOf(s) ?? '', medium(s) + ' data-harness-adopted=""')).join('');

  // A small picture of the page's own origin as a data URL; '' where it is none or time is up.
  function pictureOf(img, clock) {
    const src = img.currentSrc || img.src;
    if (!src || src.startsWith('data:')) return src;
    const kept = images.get(src);
    if (kept !== undefined) return kept;
    const w = img.naturalWidth, hgt = img.naturalHeight;
    if (!img.complete || !w || w * hgt > MAX_IMAGE) return '';
    const start = h.native ? h.native.now() : performance.now();
    if (clock.left <= 0) return '';
    let data = '';
    try {
      const c = document.createElement('canvas');
      c.width = w; c.height = hgt;
      c.getContext('2d').drawImage(img, 0, 0);
      data = c.toDataURL();
    } catch { /* of another origin */ }
    clock.left -= (h.native ? h.native.now() : performance.now()) - start;
    images.set(src, data);
    return data;
  }
  function paintOf(canvas) {
    if (!canvas.width || !canvas.height || canvas.width * canvas.height > MAX_CANVAS) return '';
    try { return canvas.toDataURL(canvas.width * canvas.height > 5e5 ? 'image/webp' : 'image/png', 0.85); } catch { return ''; }
  }

  // What the snapshot says of each element, by number.
  function factsById() {
    const d = h.facts({}), by = new Map(), generated = new Map();
    for (let i = 0; i < d.n.length; i += NODE) if (d.n[i]) by.set(d.n[i], i);
    for (let i = 0; i < d.a.length; i += 3) {
      const name = d.s[d.a[i + 1]];
      if (name[0] !== ':') continue;
      const id = d.n[d.a[i] * NODE];
      generated.set(id, (generated.get(id) || '') + ` data-harness-${name.slice(2)}="${quoted(d.s[d.a[i + 2]])}"`);
    }
    return { n: d.n, by, generated };
  }

  const secretField = el => /(^|\s)(one-time-code|cc-\S+|\S+-password)(\s|$)/i.test(el.autocomplete || '');

  h.save = ({ x, y, token, secrets, hidden, main }) => {
    const out = [], facts = factsById(), clock = { left: IMAGES_MS };
    const holds = s => { for (const x of secrets) if (s.includes(x)) return true; return false; };
    const masked = s => { if (secrets.length) for (const x of secrets) if (s.includes(x)) s = s.split(x).join(hidden); return s; };
    const rootOf = el => el.shadowRoot || (h.rootOf ? h.rootOf(el) : null);
    const box = r => `${short(r.x + x)} ${short(r.y + y)} ${short(r.width)} ${short(r.height)}`;

    // The screenshot is blackened where the page shows a secret.
    function markOf(el, tag) {
      if (tag === 'input' && el.type !== 'password' && el.value && (secretField(el) || holds(el.value))) return el.getBoundingClientRect();
      if (!secrets.length) return null;
      if (tag === 'textarea' && holds(el.value)) return el.getBoundingClientRect();
      for (const c of el.childNodes) {
        if (c.nodeType === 3 && holds(c.data)) { const r = document.createRange(); r.selectNodeContents(el); return r.getBoundingClientRect(); }
      }
      return null;
    }
    function facing(el, tag) {
      const id = h.id(el), i = facts.by.get(id);
      if (i === undefined) return '';
      const n = facts.n;
      let s = ` data-harness-facts="${n[i + 3]}"`;
      if (n[i + 3] & 1) s += ` data-harness-box="${short(n[i + 4] / 64 + x)} ${short(n[i + 5] / 64 + y)} ${short(n[i + 6] / 64)} ${short(n[i + 7] / 64)}"`;
      const mark = markOf(el, tag);
      if (mark) s += ` data-harness-masked="${box(mark)}"`;
      return s + masked(facts.generated.get(id) || '');
    }

    // The live state of a control, as attributes.
    function state(el, tag) {
      if (tag === 'option') return el.selected ? ' selected=""' : '';
      if (tag !== 'input') return '';
      if (el.type === 'checkbox' || el.type === 'radio') return (el.hasAttribute('value') ? ` value="${quoted(masked(el.value))}"` : '') + (el.checked ? ' checked=""' : '');
      if (el.type === 'file' || (!el.value && !el.hasAttribute('value'))) return '';
      const v = el.type === 'password' || secretField(el) ? '\u2022'.repeat(el.value.length) : masked(el.value);
      return ` value="${quoted(v)}"`;
    }
    function attributes(el, tag) {
      let s = '', look = '';
      for (const a of el.attributes) {
        let n = a.name, v = a.value;
        if (DROPPED.has(n) || CHOSEN.has(n) || (n[0] === 'o' && n[1] === 'n') || n.startsWith('data-harness-')) continue;
        if (n === 'value' && tag === 'input') continue;
        if ((n === 'sandbox' && tag === 'iframe') || n === 'autoplay') continue;
        if (INERT.has(tag) && (n === 'src' || n === 'data' || (n === 'type' && tag === 'script'))) n = 'data-harness-' + n;
        else if (n === 'src' && tag !== 'iframe') v = tag === 'img' ? pictureOf(el, clock) || absolute(v, document.baseURI) : absolute(v, document.baseURI);
        if (/^\s*javascript:/i.test(v)) v = 'javascript:void(0)';
        if (n === 'style') { look = v; continue; }
        s += ` ${n}="${quoted(masked(v))}"`;
      }
      if (tag === 'canvas') {
        const data = paintOf(el);
        if (data) look += `${look && ';'}background:url(${data}) 0 0/100% 100% no-repeat`;
      }
      if (look) s += ` style="${quoted(masked(look))}"`;
      if (tag === 'iframe') s += ' sandbox=""';
      if (tag === 'script') s += ' type="text/plain"';
      return s + state(el, tag);
    }

    function root() {
      let s = ` data-harness-url="${quoted(masked(location.href))}"`;
      if (main) s += ` data-harness-viewport="${short(scrollX)} ${short(scrollY)} ${innerWidth} ${innerHeight}" data-harness-scale="${devicePixelRatio}"`;
      return s;
    }
    function element(el) {
      const tag = el.namespaceURI === 'http://www.w3.org/1999/xhtml' ? el.localName : el.tagName;
      if (tag === 'meta' && (el.httpEquiv || el.hasAttribute('charset'))) return;
      if (tag === 'link') {
        const css = el.sheet && rulesOf(el.sheet);
        if (css) { out.push(style(css, `${medium(el.sheet)} data-harness-from="${quoted(masked(el.href))}"`)); return; }
        if (/\b(preload|prefetch|modulepreload|preconnect|dns-prefetch|manifest)\b/i.test(el.rel)) return;
      }
      if (tag === 'style') {
        const css = el.textContent.trim() || !el.sheet ? el.textContent : rulesOf(el.sheet) ?? '';
        out.push(style(masked(css), el.sheet ? medium(el.sheet) : ''));
        return;
      }
      out.push('<', tag, attributes(el, tag), facing(el, tag), el === document.documentElement ? root() : '', tag === 'iframe' || tag === 'frame' ? ` srcdoc="${token}${h.id(el)};"` : '', '>');
      if (VOID.has(tag)) return;
      if (tag === 'head') out.push('<meta charset="utf-8">', document.querySelector('base[href]') ? '' : `<base href="${quoted(masked(document.baseURI))}">`);
      content(el, tag);
      if (tag === 'head') out.push(adopted(document));
      out.push('</', tag, '>');
    }
    function content(el, tag) {
      if (EMPTY.has(tag) || tag === 'iframe') return;
      if (tag === 'textarea') { out.push('\n', text(secretField(el) ? '\u2022'.repeat(el.value.length) : masked(el.value))); return; }
      const root = rootOf(el);
      if (root) {
        out.push(`<template shadowrootmode="${root.mode}">`, adopted(root));
        children(root.childNodes);
        out.push('</template>');
      }
      if (tag === 'pre' || tag === 'listing') out.push('\n');
      children(el.childNodes);
    }
    function children(list) {
      for (const n of list) {
        if (n.nodeType === 1) element(n);
        else if (n.nodeType === 3) out.push(text(masked(n.data)));
      }
    }

    if (document.compatMode === 'CSS1Compat') out.push('<!DOCTYPE html>\n');
    if (document.documentElement) element(document.documentElement);
    return out.join('');
  };
})();
