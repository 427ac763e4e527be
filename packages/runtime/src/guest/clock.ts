const SystemDate = Date;
const systemNow = Date.now;

/** Epoch ms that the component's clock shows; undefined while it shows the system's time. */
let shown: number | undefined;
let isInstalled = false;

function install(): void {
  isInstalled = true;
  const now = (): number => shown ?? systemNow();
  // Also for what took hold of the class while the module was evaluated.
  SystemDate.now = now;
  const ShownDate = function (this: unknown, ...given: unknown[]): unknown {
    if (!new.target) return new SystemDate(now()).toString();
    return Reflect.construct(SystemDate, given.length === 0 ? [now()] : given, new.target) as unknown;
  };
  Object.defineProperties(ShownDate, {
    ...Object.getOwnPropertyDescriptors(SystemDate),
    name: { value: "Date", configurable: true },
  });
  SystemDate.prototype.constructor = ShownDate;
  (globalThis as { Date: unknown }).Date = ShownDate;
}

/** Stops the clock of the component at this time; undefined: it goes with the system's. */
export function showTime(now: number | undefined): void {
  shown = now;
  if (now !== undefined && !isInstalled) install();
}

/** The time on a clock that stands still, for `reachTime`. */
export const shownTime = (): number | undefined => shown;

/** What waited for this time goes on: a clock that stands still is moved there. */
export function reachTime(at: number | undefined): void {
  if (shown !== undefined && at !== undefined && at > shown) shown = at;
}
