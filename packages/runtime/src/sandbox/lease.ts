import type { CallHost, Sandbox } from "./contract.ts";

/**
 * One tenant's part of a sandbox that several share: closing it ends its calls and nobody else's.
 * `now` gives the times of emits and logs; absent: the system's time at the call.
 */
export function leaseSandbox(sandbox: Sandbox, now: (() => number) | undefined): Sandbox {
  const leaving = new AbortController();
  const timed = (host: CallHost): CallHost => (now ? { ...host, now } : host);
  return {
    describe: (bundle, limits) => sandbox.describe(bundle, limits),
    call: (call, host) => sandbox.call(call, timed(host), leaving.signal),
    close() {
      leaving.abort();
      return Promise.resolve();
    },
  };
}
