import type { Clock } from "../process/clock.ts";
import { closedReason } from "../process/closing.ts";
import type { Sandbox } from "./contract.ts";

let leases = 0;

/**
 * One tenant's part of a sandbox that several share: closing it ends its calls and nobody else's. What a warm source keeps
 * is its own, though another tenant's may have the same id and code.
 * `clock` gives the component's time and that of emits and logs; absent: the system's time.
 */
export function leaseSandbox(sandbox: Sandbox, clock: Clock | undefined): Sandbox {
  const leaving = new AbortController();
  const tenant = ++leases;
  return {
    warm: () => sandbox.warm(),
    describe: (bundle, limits) => sandbox.describe(bundle, limits),
    call(call, host) {
      const own = { ...call, sourceId: `${tenant} ${call.sourceId}`, userId: `${tenant} ${call.userId ?? ""}` };
      if (!clock) return sandbox.call(own, host, leaving.signal);
      const now = (): number => clock.now();
      const timed = { ...own, now: now(), mostSkippedMs: clock.mostSkippedMs ?? 0 };
      return sandbox.call(timed, { ...host, now }, leaving.signal);
    },
    close() {
      leaving.abort(closedReason);
      return Promise.resolve();
    },
  };
}
