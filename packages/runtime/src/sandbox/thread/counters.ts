import type { GuestMachine } from "../machine/guest-machine.ts";
import { sharedNow } from "./heartbeat.ts";
import { isJson } from "./effects.ts";
import { guestOp, hostOp } from "../ops.ts";

/** Reading them takes a moment; code that the guest has changed to take longer is left. */
const readMs = 250;

/** What instrumented code has counted in a realm, as JSON text; a realm whose call was stopped can still be asked. */
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
    // A machine that broke has nothing to say any more.
  }
  return counted !== undefined && isJson(counted) ? counted : undefined;
}
