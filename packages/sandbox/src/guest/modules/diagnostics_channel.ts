/** Channels without subscribers of the host: messages reach only subscribers among the packages. */
type Listener = (message: unknown, name: string | symbol) => void;

class Channel {
  readonly name: string | symbol;
  #listeners: Listener[] = [];
  constructor(name: string | symbol) {
    this.name = name;
  }
  get hasSubscribers(): boolean {
    return this.#listeners.length > 0;
  }
  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }
  unsubscribe(listener: Listener): boolean {
    const before = this.#listeners.length;
    this.#listeners = this.#listeners.filter((each) => each !== listener);
    return this.#listeners.length < before;
  }
  publish(message: unknown): void {
    for (const listener of this.#listeners) listener(message, this.name);
  }
  runStores(message: unknown, run: (...args: unknown[]) => unknown, self?: unknown, ...args: unknown[]): unknown {
    this.publish(message);
    return run.apply(self, args);
  }
  bindStore(): void {}
  unbindStore(): boolean {
    return false;
  }
}

const channels = new Map<string | symbol, Channel>();

function channel(name: string | symbol): Channel {
  const known = channels.get(name) ?? new Channel(name);
  channels.set(name, known);
  return known;
}

const stages = ["start", "end", "asyncStart", "asyncEnd", "error"] as const;

function tracingChannel(name: string): object {
  const parts = Object.fromEntries(stages.map((stage) => [stage, channel(`tracing:${name}:${stage}`)]));
  const call = (run: (...args: unknown[]) => unknown, _context?: unknown, self?: unknown, ...args: unknown[]) =>
    run.apply(self, args);
  return { ...parts, hasSubscribers: false, traceSync: call, tracePromise: call, subscribe() {}, unsubscribe() {} };
}

export default {
  Channel,
  channel,
  hasSubscribers: (name: string | symbol) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name: string | symbol, listener: Listener) => channel(name).subscribe(listener),
  unsubscribe: (name: string | symbol, listener: Listener) => channel(name).unsubscribe(listener),
  tracingChannel,
};
