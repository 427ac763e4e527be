const SystemDate = Date;
const systemNow = Date.now;

/** The fixed time of the clock in epoch ms; undefined: the clock follows the system. */
let fixedMs: number | undefined;
let isInstalled = false;

function install(): void {
  isInstalled = true;
  const now = (): number => fixedMs ?? systemNow();
  // Also for code that stored the class while the module was evaluated.
  SystemDate.now = now;
  const ClockDate = function (this: unknown, ...given: unknown[]): unknown {
    if (!new.target) return new SystemDate(now()).toString();
    return Reflect.construct(SystemDate, given.length === 0 ? [now()] : given, new.target) as unknown;
  };
  Object.defineProperties(ClockDate, {
    ...Object.getOwnPropertyDescriptors(SystemDate),
    name: { value: "Date", configurable: true },
  });
  SystemDate.prototype.constructor = ClockDate;
  (globalThis as { Date: unknown }).Date = ClockDate;
}

/** Fixes the component's clock at a time in epoch ms; undefined: the clock follows the system. */
export function fixTime(ms: number | undefined): void {
  fixedMs = ms;
  if (ms !== undefined && !isInstalled) install();
}

/** The fixed time in epoch ms; undefined while the clock follows the system. */
export const fixedTime = (): number | undefined => fixedMs;

/** Moves a fixed clock forward to the time at which a timer was due. */
export function advanceTime(dueMs: number | undefined): void {
  if (fixedMs !== undefined && dueMs !== undefined && dueMs > fixedMs) fixedMs = dueMs;
}
