import { systemClock } from "../process/clock.ts";
import type { Dispatcher } from "../process/dispatcher.ts";
import { XError } from "../model/errors.ts";

/** Enters the source's lane for a change of it; rejects with `busy` when the lane does not come free in time. */
export async function enterUnlessBusy(
  { dispatcher, busyWaitMs }: { readonly dispatcher: Dispatcher; readonly busyWaitMs: number },
  sourceId: string,
): Promise<Disposable> {
  const entered = dispatcher.enter(sourceId, "first");
  const waited = Promise.withResolvers<undefined>();
  const cancel = systemClock.wakeAt(systemClock.now() + busyWaitMs, () => waited.resolve(undefined));
  const lane = await Promise.race([entered, waited.promise]);
  cancel();
  if (lane) return lane;
  void entered.then((late) => late[Symbol.dispose]());
  throw new XError("busy", [sourceId]);
}
