import { systemClock } from "../process/clock.ts";
import type { Dispatcher } from "../process/dispatcher.ts";
import { XError } from "../model/errors.ts";

/** Runs a change in the source's lane; rejects with `busy` when the lane does not come free in time (contract 3.1). */
export async function runUnlessBusy<T>(
  { dispatcher, busyWaitMs }: { readonly dispatcher: Dispatcher; readonly busyWaitMs: number },
  sourceId: string,
  change: () => Promise<T>,
): Promise<T> {
  const begun = Promise.withResolvers<"begun">();
  let gaveUp = false;
  const result = dispatcher.run(
    sourceId,
    async () => {
      begun.resolve("begun");
      if (gaveUp) throw new XError("busy", [sourceId]);
      return change();
    },
    "first",
  );
  const waited = Promise.withResolvers<"waited">();
  const cancel = systemClock.wakeAt(systemClock.now() + busyWaitMs, () => waited.resolve("waited"));
  const first = await Promise.race([begun.promise, waited.promise]);
  cancel();
  if (first === "begun") return result;
  gaveUp = true;
  result.catch(() => undefined);
  throw new XError("busy", [sourceId]);
}
