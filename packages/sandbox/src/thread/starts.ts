/** The calls of a thread that have arrived. */
export interface Starts<Call> {
  add(call: Call): void;
  /** True when no call waits for those before it. */
  readonly isEmpty: boolean;
}

export interface StartsParts<Call> {
  /** Resolves when the call has ended or waits for something outside of the thread. */
  start(call: Call): Promise<void>;
  /** Called between two calls, and after the last one. */
  paused(): void;
}

/** Starts calls one after another: each gets the machine of the one before, which is in the processor's caches. */
export function createStarts<Call>({ start, paused }: StartsParts<Call>): Starts<Call> {
  let waiting: Call[] = [];
  let next = 0;
  let isStarting = false;

  async function startAll(): Promise<void> {
    isStarting = true;
    for (let call = waiting[next++]; call !== undefined; call = waiting[next++]) {
      await start(call);
      paused();
    }
    waiting = [];
    next = 0;
    isStarting = false;
  }

  return {
    add(call) {
      waiting.push(call);
      if (!isStarting) void startAll();
    },
    get isEmpty() {
      return next >= waiting.length;
    },
  };
}
