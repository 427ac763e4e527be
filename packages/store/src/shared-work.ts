/** Work that equal calls share: at most one at a time by its key. */
export interface SharedWork {
  /** Does the work now, or once after the running one with this key: what was stored before the call is seen. */
  do<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createSharedWork(): SharedWork {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<unknown>>();

  function start<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = work().finally(() => running.delete(key));
    running.set(key, result);
    return result;
  }

  return {
    do<T>(key: string, work: () => Promise<T>) {
      const joined = waiting.get(key);
      if (joined) return joined as Promise<T>;
      const current = running.get(key);
      if (!current) return start(key, work);
      const next = (): Promise<T> => {
        waiting.delete(key);
        return start(key, work);
      };
      const result = current.then(next, next);
      waiting.set(key, result);
      return result;
    },
  };
}
