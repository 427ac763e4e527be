import { closedReason, type Clock } from "@x/model";
import type { Sandbox } from "./contract.ts";

let leases = 0;

/**
 * Gives one tenant a sandbox that it shares with others. Closing it ends only the tenant's calls. Warm sources of different
 * tenants share no realm, even if their ids and code are equal. `clock` is the clock of components, emits and logs; absent:
 * the system's.
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
      const timed = { ...own, now: now(), maxSkippedMs: clock.maxSkippedMs ?? 0 };
      return sandbox.call(timed, { ...host, now }, leaving.signal);
    },
    stats: () => sandbox.stats(),
    close() {
      leaving.abort(closedReason);
      return Promise.resolve();
    },
  };
}
