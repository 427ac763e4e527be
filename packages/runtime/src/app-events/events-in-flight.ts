/** Ids of events that are being stored: two requests with one id wait for each other. */
export interface EventsInFlight {
  /** Resolves when none of the keys is being stored; they are from then on, until the result is disposed of. */
  enter(keys: readonly string[]): Promise<Disposable>;
}

export function createEventsInFlight(): EventsInFlight {
  const storing = new Map<string, Promise<void>>();
  return {
    async enter(keys) {
      for (;;) {
        const others = keys.map((key) => storing.get(key)).filter((other) => other !== undefined);
        if (others.length === 0) break;
        await Promise.all(others);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      for (const key of keys) storing.set(key, promise);
      return {
        [Symbol.dispose]() {
          for (const key of keys) storing.delete(key);
          resolve();
        },
      };
    },
  };
}
