import { systemClock } from "@x/runtime";

/** The items of an iterator, with a `beat` after each interval without an item. Ends with the iterator. */
export async function* withBeats<T>(items: AsyncIterator<T>, everyMs: number): AsyncGenerator<T | "beat", void> {
  let arrived: IteratorResult<T> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  // Not Promise.race: a pending promise keeps the handlers of every race.
  const ask = (): void => {
    items.next().then(
      (result) => {
        arrived = result;
        wake();
      },
      (error: unknown) => {
        failure = { error };
        wake();
      },
    );
  };
  const read = (): IteratorResult<T> | undefined => {
    if (failure) throw failure.error;
    const result = arrived;
    arrived = undefined;
    return result;
  };
  ask();
  for (;;) {
    let result = read();
    if (!result) {
      const waited = Promise.withResolvers<void>();
      wake = waited.resolve;
      const cancel = systemClock.wakeAt(systemClock.now() + everyMs, waited.resolve);
      await waited.promise;
      cancel();
      result = read();
    }
    if (result?.done) return;
    if (result) {
      yield result.value;
      // Not earlier: the item stays reserved until the next is requested.
      ask();
    } else yield "beat";
  }
}
