import { errorText } from "@x/model";
import type { RequestFailure } from "../contract.ts";
import { jsonDepth, parseGuestJson } from "./guest-json.ts";
import { longestHead, maxHeadParts } from "./guest-results.ts";
import type { SandboxCallMessage, FromWorker } from "./messages.ts";

/** Requests live on the host's side, so the guest's memory does not limit them. */
const maxFetches = 10_000;
const maxFetchBytes = 64 * 1024 * 1024;
const deepestHead = 8;
/** Requests of one call that are sent at once; the others wait. */
const fetchesAtOnce = 100;
/** A call with more refused requests that it has not been notified of is ended. */
const maxRefused = 100;

interface WaitingFetch {
  readonly k: "fetch" | "dataStore";
  readonly fetchId: number;
  readonly head: string;
  readonly body: Uint8Array | undefined;
}

export interface FetchPort {
  post(message: FromWorker): void;
  /** Fails the request in a later turn. */
  refuse(fetchId: number, failure: RequestFailure): void;
}

/** The requests of one call that have no reply yet. */
export class CallFetches {
  readonly #message: Pick<SandboxCallMessage, "id" | "entry" | "limits">;
  readonly #port: FetchPort;
  /** Bytes of each request. */
  readonly #pending = new Map<number, number>();
  #bytes = 0;
  /** Refused requests whose error the guest does not have yet. */
  readonly #refused = new Set<number>();
  /** Bytes of each request that was aborted after it was sent, until the host has released them. */
  readonly #leaving = new Map<number, number>();
  /** Pending requests that have not been sent. */
  #unsent: WaitingFetch[] = [];

  constructor(message: Pick<SandboxCallMessage, "id" | "entry" | "limits">, port: FetchPort) {
    this.#message = message;
    this.#port = port;
  }

  get size(): number {
    return this.#pending.size;
  }

  get ids(): readonly number[] {
    return [...this.#pending.keys()];
  }

  /**
   * Returns why the call has to end when the request exceeds a limit. A request that is not `wanted` is not sent. Calls of
   * data stores wait for nothing: the host does them one after another, also those that the component does not await.
   */
  start(
    head: string,
    body: Uint8Array | undefined,
    wanted: boolean,
    k: WaitingFetch["k"] = "fetch",
  ): string | undefined {
    if (head.length > longestHead) return `URL and headers of a request may have at most ${longestHead} characters`;
    if (jsonDepth(head) > deepestHead) return undefined;
    const { id: fetchId } = parseGuestJson(head, maxHeadParts) as { id: unknown };
    if (typeof fetchId !== "number" || this.#pending.has(fetchId) || this.#leaving.has(fetchId)) return undefined;
    const bytes = head.length + (body?.byteLength ?? 0);
    if (this.#pending.size >= maxFetches)
      return `${this.#message.entry} has more than ${maxFetches} requests under way`;
    const most = Math.min(maxFetchBytes, this.#message.limits.memoryBytes);
    if (this.#bytes + bytes > most && this.#bytes > 0) {
      const message = errorText("requests_too_large", String(most));
      this.#refused.add(fetchId);
      if (this.#refused.size > maxRefused) return message;
      this.#pending.set(fetchId, 0);
      this.#port.refuse(fetchId, { message, code: "requests_too_large" });
      return undefined;
    }
    this.#pending.set(fetchId, bytes);
    this.#bytes += bytes;
    if (!wanted) return undefined;
    const waiting = { k, fetchId, head, body };
    if (k === "dataStore") {
      this.#port.post({ id: this.#message.id, ...waiting });
      return undefined;
    }
    this.#unsent.push(waiting);
    this.#send();
    return undefined;
  }

  abort(fetchId: number): void {
    const wasSent = !this.#unsent.some((waiting) => waiting.fetchId === fetchId);
    if (!wasSent) this.#unsent = this.#unsent.filter((waiting) => waiting.fetchId !== fetchId);
    const bytes = this.#pending.get(fetchId);
    if (bytes === undefined) return;
    // A refused request was never sent.
    if (wasSent && bytes > 0) {
      this.#pending.delete(fetchId);
      this.#leaving.set(fetchId, bytes);
      this.#port.post({ k: "abort", id: this.#message.id, fetchId });
    } else this.forget(fetchId);
  }

  /** The host has released an aborted request. */
  released(fetchId: number): void {
    this.#bytes -= this.#leaving.get(fetchId) ?? 0;
    this.#leaving.delete(fetchId);
    this.#send();
  }

  /** Removes a request that is settled. False: no such request is pending. */
  forget(fetchId: number): boolean {
    const bytes = this.#pending.get(fetchId);
    if (bytes === undefined) return false;
    this.#pending.delete(fetchId);
    this.#refused.delete(fetchId);
    this.#bytes -= bytes;
    this.#send();
    return true;
  }

  /** Drops the requests that have not been sent. */
  close(): void {
    this.#unsent = [];
  }

  #send(): void {
    const isFree = (): boolean => this.#pending.size - this.#unsent.length + this.#leaving.size < fetchesAtOnce;
    while (this.#unsent.length > 0 && isFree()) {
      const next = this.#unsent.shift();
      if (next) this.#port.post({ id: this.#message.id, ...next });
    }
  }
}
