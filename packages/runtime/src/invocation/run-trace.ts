import { cutText, monotonicMs, type RecordedStep } from "@x/model";
import type { CallHost, GuestReply, GuestRequest } from "@x/sandbox";

type Headers = GuestRequest["headers"];

/** The beginning of a body, and the size of all of it. */
export interface TracedBody {
  readonly bytes: number;
  /** Absent without room in the trace. */
  readonly head?: Uint8Array;
}

/** A request of a component, as far as it has come. */
export interface TracedExchange {
  readonly method: string;
  readonly url: string;
  readonly startedMs: number;
  readonly headers: Headers;
  readonly body: TracedBody;
  reply?: { readonly status: number; readonly headers: Headers; readonly body: TracedBody };
  error?: string;
  durationMs?: number;
}

/** Bounds of one trace. A masked text is cut after it is masked, so a trace keeps more than a record. */
export interface TraceBounds {
  readonly exchanges: number;
  readonly steps: number;
  readonly bodyBytes: number;
  /** All bodies of the trace together. */
  readonly bodiesBytes: number;
  readonly urlChars: number;
  readonly headers: number;
  readonly headerChars: number;
}

/** A copy, so that a long text is not kept in memory by its beginning. */
const cutCopy = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(cutText(text, most)).toString();

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** What a call does while it runs, for its record. Its memory is bounded whatever the component does. */
export class RunTrace {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly exchanges: TracedExchange[] = [];
  readonly steps: RecordedStep[] = [];
  /** All requests, also those that are not among `exchanges`. */
  exchangeCount = 0;
  stepCount = 0;
  /** From the start to the end of the call, with its wait for a thread. */
  sandboxMs = 0;
  readonly #since = monotonicMs();
  readonly #bounds: TraceBounds;
  #room: number;

  constructor(startedAt: number, bounds: TraceBounds) {
    this.startedAt = startedAt;
    this.#bounds = bounds;
    this.#room = bounds.bodiesBytes;
  }

  /** Traces the requests of a call. */
  follow(fetch: CallHost["fetch"]): CallHost["fetch"] {
    return async (request, signal, hold) => {
      const exchange = this.#begin(request);
      if (!exchange) return fetch(request, signal, hold);
      try {
        const reply = await fetch(request, signal, hold);
        this.#answer(exchange, reply);
        return reply;
      } catch (error) {
        exchange.error = cutCopy(error instanceof Error ? error.message : String(error), this.#bounds.urlChars);
        exchange.durationMs = rounded(this.#elapsed() - exchange.startedMs);
        throw error;
      }
    };
  }

  step(name: string): void {
    this.stepCount += 1;
    const { steps, headerChars } = this.#bounds;
    if (this.steps.length < steps) this.steps.push({ name: cutCopy(name, headerChars), startedMs: this.#elapsed() });
  }

  /** The call has ended. */
  end(): void {
    this.sandboxMs = this.#elapsed();
  }

  /** The call starts over: its steps so far do not count, its requests do. */
  restart(): void {
    this.steps.length = 0;
    this.stepCount = 0;
  }

  #begin({ method, url, headers, body }: GuestRequest): TracedExchange | undefined {
    this.exchangeCount += 1;
    const { exchanges, headerChars, urlChars } = this.#bounds;
    if (this.exchanges.length >= exchanges) return undefined;
    const exchange: TracedExchange = {
      method: cutCopy(method, headerChars),
      url: cutCopy(url, urlChars),
      startedMs: this.#elapsed(),
      headers: this.#headersOf(headers),
      body: this.#bodyOf(body),
    };
    this.exchanges.push(exchange);
    return exchange;
  }

  #answer(exchange: TracedExchange, { status, headers, body, cut }: GuestReply): void {
    exchange.reply = { status, headers: this.#headersOf(headers), body: this.#bodyOf(body) };
    exchange.durationMs = rounded(this.#elapsed() - exchange.startedMs);
    if (cut) exchange.error = cutCopy(cut.message, this.#bounds.urlChars);
  }

  #elapsed(): number {
    return rounded(monotonicMs() - this.#since);
  }

  #bodyOf(body: Uint8Array | undefined): TracedBody {
    const bytes = body?.byteLength ?? 0;
    const kept = Math.min(bytes, this.#bounds.bodyBytes, this.#room);
    this.#room -= kept;
    return { bytes, ...(body && kept > 0 && { head: Uint8Array.from(body.subarray(0, kept)) }) };
  }

  #headersOf(headers: Headers): Headers {
    const { headers: most, headerChars } = this.#bounds;
    return headers.slice(0, most).map(([name, value]) => [cutCopy(name, headerChars), cutCopy(value, headerChars)]);
  }
}
