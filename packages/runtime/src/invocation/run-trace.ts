import { monotonicMs } from "../process/clock.ts";
import { cutText } from "../model/text-limits.ts";
import type { RecordedStep } from "../model/execution-model.ts";
import type { CallHost, GuestReply, GuestRequest } from "../sandbox/contract.ts";

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

/** What a call does while it runs, for its record. Its memory is bounded whatever the component does. */
export interface RunTrace {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly exchanges: readonly TracedExchange[];
  /** All requests, also those that are not among `exchanges`. */
  readonly exchangeCount: number;
  readonly steps: readonly RecordedStep[];
  readonly stepCount: number;
  /** Traces the requests of a call. */
  follow(fetch: CallHost["fetch"]): CallHost["fetch"];
  step(name: string): void;
  /** The call starts over: its steps so far do not count, its requests do. */
  restart(): void;
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

export function createRunTrace(startedAt: number, bounds: TraceBounds): RunTrace {
  const since = monotonicMs();
  const exchanges: TracedExchange[] = [];
  const steps: RecordedStep[] = [];
  let [exchangeCount, stepCount, room] = [0, 0, bounds.bodiesBytes];
  const elapsed = (): number => rounded(monotonicMs() - since);

  function bodyOf(body: Uint8Array | undefined): TracedBody {
    const bytes = body?.byteLength ?? 0;
    const kept = Math.min(bytes, bounds.bodyBytes, room);
    room -= kept;
    return { bytes, ...(body && kept > 0 && { head: Uint8Array.from(body.subarray(0, kept)) }) };
  }

  const headersOf = (headers: Headers): Headers =>
    headers
      .slice(0, bounds.headers)
      .map(([name, value]) => [cutCopy(name, bounds.headerChars), cutCopy(value, bounds.headerChars)]);

  const begin = ({ method, url, headers, body }: GuestRequest): TracedExchange | undefined => {
    exchangeCount += 1;
    if (exchanges.length >= bounds.exchanges) return undefined;
    const exchange: TracedExchange = {
      method: cutCopy(method, bounds.headerChars),
      url: cutCopy(url, bounds.urlChars),
      startedMs: elapsed(),
      headers: headersOf(headers),
      body: bodyOf(body),
    };
    exchanges.push(exchange);
    return exchange;
  };

  const end = (exchange: TracedExchange, { status, headers, body, cut }: GuestReply): void => {
    exchange.reply = { status, headers: headersOf(headers), body: bodyOf(body) };
    exchange.durationMs = rounded(elapsed() - exchange.startedMs);
    if (cut) exchange.error = cutCopy(cut.message, bounds.urlChars);
  };

  return {
    startedAt,
    exchanges,
    get exchangeCount() {
      return exchangeCount;
    },
    steps,
    get stepCount() {
      return stepCount;
    },
    follow: (fetch) => async (request, signal, hold) => {
      const exchange = begin(request);
      if (!exchange) return fetch(request, signal, hold);
      try {
        const reply = await fetch(request, signal, hold);
        end(exchange, reply);
        return reply;
      } catch (error) {
        exchange.error = cutCopy(error instanceof Error ? error.message : String(error), bounds.urlChars);
        exchange.durationMs = rounded(elapsed() - exchange.startedMs);
        throw error;
      }
    },
    step(name) {
      stepCount += 1;
      if (steps.length < bounds.steps) steps.push({ name: cutCopy(name, bounds.headerChars), startedMs: elapsed() });
    },
    restart() {
      steps.length = 0;
      stepCount = 0;
    },
  };
}
