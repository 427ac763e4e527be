import type { Kit } from "../kit.ts";

/** `MessageChannel` within one realm: packages use it to schedule work. */
export function createMessaging(kit: Kit): Record<string, unknown> {
  class MessageEvent extends kit.Event {
    readonly #init: { data?: unknown; origin?: string; lastEventId?: string; source?: unknown; ports?: unknown[] };
    constructor(...given: [type?: string, init?: object]) {
      super(...given);
      this.#init = { ...given[1] };
    }
    get data(): unknown {
      return this.#init.data === undefined ? null : this.#init.data;
    }
    get origin(): string {
      return this.#init.origin ?? "";
    }
    get lastEventId(): string {
      return this.#init.lastEventId ?? "";
    }
    get source(): unknown {
      return this.#init.source ?? null;
    }
    get ports(): unknown[] {
      return this.#init.ports ?? [];
    }
  }

  const constructorKey = Symbol("constructor key");
  class MessagePort extends kit.EventTarget {
    #other: MessagePort | undefined;
    #started = false;
    readonly #waiting: unknown[] = [];
    static {
      kit.defineHandler(MessagePort.prototype, "message", (port) => (port as MessagePort).start());
      kit.defineHandler(MessagePort.prototype, "messageerror");
    }
    constructor(key?: unknown) {
      if (key !== constructorKey) throw new TypeError("Illegal constructor");
      super();
    }
    override get [Symbol.toStringTag](): string {
      return "MessagePort";
    }
    static join(first: MessagePort, second: MessagePort): void {
      first.#other = second;
      second.#other = first;
    }
    postMessage(...given: [data?: unknown, options?: unknown]): void {
      if (given.length === 0) throw new TypeError('The "message" argument must be specified');
      const data = kit.structuredClone(given[0]);
      const { [0]: target } = [this.#other];
      if (!target) return;
      target.#waiting.push(data);
      target.#deliver();
    }
    #deliver(): void {
      if (!this.#started) return;
      setTimeout(() => {
        if (!this.#started || this.#waiting.length === 0) return;
        this.dispatchEvent(new MessageEvent("message", { data: this.#waiting.shift() }));
      }, 0);
    }
    start(): void {
      if (this.#started) return;
      this.#started = true;
      for (const _ of this.#waiting) this.#deliver();
    }
    close(): void {
      this.#started = false;
      this.#waiting.length = 0;
      const other = this.#other;
      this.#other = undefined;
      if (other) other.#other = undefined;
    }
    ref(): void {}
    unref(): void {}
    hasRef(): boolean {
      return this.#started;
    }
  }
  const { join } = MessagePort;
  Reflect.deleteProperty(MessagePort, "join");

  class MessageChannel {
    readonly port1 = new MessagePort(constructorKey);
    readonly port2 = new MessagePort(constructorKey);
    constructor() {
      join(this.port1, this.port2);
    }
  }
  return { MessageChannel, MessageEvent, MessagePort };
}

declare function setTimeout(run: () => void, ms: number): unknown;
