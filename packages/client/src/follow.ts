import { RestError } from "./rest-error.ts";
import { createEventParser, type ServerEvent } from "./server-events.ts";

/** `waiting`: for the next attempt, after a failure or the end of a connection. */
export type FollowState = "connecting" | "open" | "waiting";

export interface FollowOptions {
  /** The id of the last event seen: the stream goes on behind it. Default: with what comes from now on. */
  readonly lastEventId?: string | undefined;
  /** Hears how the connection fares, with the error of an attempt that failed. What it throws ends the stream. */
  readonly onState?: ((state: FollowState, error?: unknown) => void) | undefined;
}

interface Stream extends FollowOptions {
  readonly open: (lastEventId: string, signal: AbortSignal) => Promise<Response>;
  readonly signal?: AbortSignal | undefined;
}

const firstWaitMs = 1_000;
const longestWaitMs = 20_000;

/** Another attempt would end the same way. */
const isRefused = (error: unknown): boolean =>
  !(error instanceof RestError) || (error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status));

/** Resolves after a time, or when the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

interface Connection {
  retry(ms: number): void;
  /** Takes the id to go on behind; a stream may begin with one. */
  position(id: string): void;
}

/** The events of one connection. Returns why it failed; undefined when it ended. */
async function* readEvents({ body }: Response, { retry, position }: Connection): AsyncGenerator<ServerEvent, unknown> {
  const events: ServerEvent[] = [];
  const parse = createEventParser({ event: (event) => events.push(event), retry, position });
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  try {
    if (!reader) return undefined;
    for (;;) {
      const part = await reader.read().catch((failure: unknown) => ({ failure }));
      if ("failure" in part) return part.failure;
      if (part.done) return undefined;
      parse(decoder.decode(part.value, { stream: true }));
      for (const event of events.splice(0)) {
        if (event.id !== "") position(event.id);
        yield event;
      }
    }
  } finally {
    // The consumer's loop may have ended.
    await reader?.cancel().catch(() => undefined);
  }
}

/** The events of a stream, over any number of connections. */
export async function* follow({ open, signal, lastEventId = "", onState }: Stream): AsyncGenerator<ServerEvent, void> {
  const stop = new AbortController();
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  let last = lastEventId;
  let firstMs = firstWaitMs;
  let waitMs = firstMs;
  try {
    while (!ended.aborted) {
      onState?.("connecting");
      let failure: unknown;
      const response = await open(last, ended).catch((error: unknown) => {
        if (!ended.aborted && isRefused(error)) throw error;
        failure = error;
        return undefined;
      });
      if (response) {
        onState?.("open");
        waitMs = firstMs;
        const events = readEvents(response, {
          retry: (ms) => (firstMs = waitMs = ms),
          position: (id) => (last = id),
        });
        let next = await events.next();
        for (; !next.done; next = await events.next()) {
          yield next.value;
        }
        failure = next.value;
      }
      if (ended.aborted) return;
      onState?.("waiting", failure);
      await wait(waitMs, ended);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  } finally {
    stop.abort();
  }
}
