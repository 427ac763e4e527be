import { systemClock } from "@x/runtime";

/** What comes from an iterator, with a beat whenever nothing came for a while. Ends with the iterator. */
export async function* withBeats<T>(items: AsyncIterator<T>, everyMs: number): AsyncGenerator<T | "beat", void> {
  let arrived: IteratorResult<T> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  // Not a race: a promise that is raced again and again remembers every race.
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
      // Not before: what is in hand counts until the next is asked for.
      ask();
    } else yield "beat";
  }
}
