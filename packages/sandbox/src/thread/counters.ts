import type { GuestMachine } from "../machine/guest-machine.ts";
import { sharedNow } from "./shared-clock.ts";
import { isJson } from "./guest-json.ts";
import { guestOp, hostOp } from "../ops.ts";

/** Limit for reading the counters; guest code can make it take longer. */
const readMs = 250;

/** Reads the counters of instrumented code in a realm, as JSON text; also after its call was stopped. `restart` sets them to 0. */
export function readCounters(machine: GuestMachine, restart: boolean): string | undefined {
  const deadline = sharedNow() + readMs;
  let counted: string | undefined;
  machine.attach({
    dispatch(op, text) {
      if (op === hostOp.counters) counted = text;
      return undefined;
    },
    shouldInterrupt: () => sharedNow() >= deadline,
    remainingMs: () => deadline - sharedNow(),
  });
  try {
    machine.enter(guestOp.counters, JSON.stringify({ restart }));
  } catch {
    // A broken machine has no counters.
  }
  return counted !== undefined && isJson(counted) ? counted : undefined;
}
