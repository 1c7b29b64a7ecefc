// The page's clock: shifted by an offset, or standing still. Only what tells the date is replaced (Date, Temporal.Now, Intl,
// performance.timeOrigin, the expiry of cookies that the page writes); timers, animation frames, performance.now and event times
// stay the browser's own and so agree with each other.
({ offset, frozen }) => {
  const NativeDate = Date, nativeNow = Date.now;
  const now = frozen === null ? () => nativeNow() + offset : () => frozen;
  const FakeDate = new Proxy(NativeDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length ? args : [now()], made === FakeDate ? target : made),
    apply: target => new target(now()).toString(),
  });
  NativeDate.now = { now() { return now(); } }.now;
  NativeDate.prototype.constructor = FakeDate;
  globalThis.Date = FakeDate;

  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format');
  const bound = new WeakMap();
  Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
    ...format,
    get() {
      let f = bound.get(this);
      if (!f) {
        const native = format.get.call(this);
        bound.set(this, f = date => native(date === undefined ? now() : date));
      }
      return f;
    },
  });
  const parts = Intl.DateTimeFormat.prototype.formatToParts;
  Intl.DateTimeFormat.prototype.formatToParts = function formatToParts(date) { return parts.call(this, date === undefined ? now() : date); };

  if (globalThis.Temporal) {
    const T = Temporal, zone = tz => tz === undefined ? T.Now.timeZoneId() : tz;
    const instant = () => T.Instant.fromEpochMilliseconds(now());
    const zoned = tz => instant().toZonedDateTimeISO(zone(tz));
    const set = (name, f) => Object.defineProperty(T.Now, name, { value: f, writable: true, configurable: true });
    set('instant', instant);
    set('zonedDateTimeISO', zoned);
    set('plainDateTimeISO', tz => zoned(tz).toPlainDateTime());
    set('plainDateISO', tz => zoned(tz).toPlainDate());
    set('plainTimeISO', tz => zoned(tz).toPlainTime());
  }

  if (frozen === null && globalThis.Performance) {
    const origin = Object.getOwnPropertyDescriptor(Performance.prototype, 'timeOrigin');
    Object.defineProperty(Performance.prototype, 'timeOrigin', { ...origin, get() { return origin.get.call(this) + offset; } });
  }

  // The browser drops a cookie by its own clock, so the expiry goes back to that.
  if (globalThis.Document) {
    const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
    Object.defineProperty(Document.prototype, 'cookie', {
      ...cookie,
      set(text) {
        const back = (all, name, date) => {
          const t = NativeDate.parse(date);
          return Number.isNaN(t) ? all : name + new NativeDate(t - (now() - nativeNow())).toUTCString();
        };
        cookie.set.call(this, String(text).replace(/(;\s*expires\s*=\s*)([^;]*)/i, back));
      },
    });
  }
}
