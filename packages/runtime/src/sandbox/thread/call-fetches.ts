import { jsonDepth } from "./effects.ts";
import type { CallOrder, FromWorker } from "./messages.ts";
import { longestHead } from "./said.ts";

/** Requests live on the host's side, so the guest's memory does not bound them. */
const mostFetches = 10_000;
const mostFetchBytes = 64 * 1024 * 1024;
const deepestHead = 8;
/** Requests of one call that are on their way at once; the others wait. */
const fetchesAtOnce = 100;

interface WaitingFetch {
  readonly fetchId: number;
  readonly head: string;
  readonly body: Uint8Array | undefined;
}

/** The requests of one call that have no reply yet. */
export class CallFetches {
  readonly #order: Pick<CallOrder, "id" | "entry">;
  readonly #post: (message: FromWorker) => void;
  /** Bytes of each. */
  readonly #pending = new Map<number, number>();
  #bytes = 0;
  /** Those of them that have not been sent. */
  #unsent: WaitingFetch[] = [];

  constructor(order: Pick<CallOrder, "id" | "entry">, post: (message: FromWorker) => void) {
    this.#order = order;
    this.#post = post;
  }

  get size(): number {
    return this.#pending.size;
  }

  get ids(): readonly number[] {
    return [...this.#pending.keys()];
  }

  /** Why the call has to end: it asks for more than the host gives. What is not `wanted` is not sent. */
  start(head: string, body: Uint8Array | undefined, wanted: boolean): string | undefined {
    if (head.length > longestHead) return `URL and headers of a request may have at most ${longestHead} characters`;
    if (jsonDepth(head) > deepestHead) return undefined;
    const { id: fetchId } = JSON.parse(head) as { id: unknown };
    if (typeof fetchId !== "number" || this.#pending.has(fetchId)) return undefined;
    const bytes = head.length + (body?.byteLength ?? 0);
    if (this.#pending.size >= mostFetches)
      return `${this.#order.entry} has more than ${mostFetches} requests under way`;
    if (this.#bytes + bytes > mostFetchBytes && this.#pending.size > 0)
      return `The requests under way hold more than ${mostFetchBytes} bytes`;
    this.#pending.set(fetchId, bytes);
    this.#bytes += bytes;
    if (!wanted) return undefined;
    this.#unsent.push({ fetchId, head, body });
    this.#send();
    return undefined;
  }

  abort(fetchId: number): void {
    const wasSent = !this.#unsent.some((waiting) => waiting.fetchId === fetchId);
    if (!wasSent) this.#unsent = this.#unsent.filter((waiting) => waiting.fetchId !== fetchId);
    if (this.forget(fetchId) && wasSent) this.#post({ k: "abort", id: this.#order.id, fetchId });
  }

  /** False: there is no such request under way. */
  forget(fetchId: number): boolean {
    const bytes = this.#pending.get(fetchId);
    if (bytes === undefined) return false;
    this.#pending.delete(fetchId);
    this.#bytes -= bytes;
    this.#send();
    return true;
  }

  /** Sends none of those that wait. */
  close(): void {
    this.#unsent = [];
  }

  #send(): void {
    while (this.#unsent.length > 0 && this.#pending.size - this.#unsent.length < fetchesAtOnce) {
      const next = this.#unsent.shift();
      if (next) this.#post({ k: "fetch", id: this.#order.id, ...next });
    }
  }
}
