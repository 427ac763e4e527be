import { scheduler } from "node:timers/promises";

import { isCodedError, UsageError } from "../errors.ts";

/** One frame of a stream of server-sent events. */
export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Milliseconds to wait before a reconnect. */
  readonly retry?: number;
}

function parseFrame(lines: readonly string[]): Frame {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:]+):? ?(.*)$/s.exec(line) ?? [];
    fields.set(name, name === "data" && fields.has("data") ? `${fields.get("data")}\n${value}` : value);
  }
  const [id, event, data, retry] = ["id", "event", "data", "retry"].map((name) => fields.get(name));
  return {
    ...(id !== undefined && { id }),
    ...(event !== undefined && { event }),
    ...(data !== undefined && { data }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retry: Number(retry) }),
  };
}

/** The frames in a body, without comments and without an incomplete last frame. */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  const decoder = new TextDecoder();
  let rest = "";
  let lines: string[] = [];
  for await (const chunk of body) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.endsWith("\r") ? part.slice(0, -1) : part;
      if (line !== "" && !line.startsWith(":")) lines.push(line);
      if (line !== "" || lines.length === 0) continue;
      yield parseFrame(lines);
      lines = [];
    }
  }
}

export interface FollowOptions {
  /** Requests the events after this one. */
  open(lastEventId: string): Promise<AsyncIterable<Uint8Array>>;
  /** The id of the last event seen. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** Called with a text when the connection breaks or is restored, and when events are missing. */
  notice(text: string): void;
}

const firstRetryMs = 2_000;

/** Whether a retry may succeed: the service is unreachable, starting, stopping or overloaded. */
function isTransient(error: unknown): boolean {
  if (error instanceof UsageError) return false;
  return !isCodedError(error) || error.code === "closed" || error.code === "rate_limited" || error.code === "internal";
}

function gapText(data = "{}"): string {
  const { oldest } = JSON.parse(data) as { oldest?: string };
  const gone = "are gone, because only the newest are kept";
  return oldest === undefined ? `some ${gone}` : `some events ${gone}; the next one is ${oldest}`;
}

/**
 * The data of each event after one, until the signal. Reconnects after a broken connection, without missed or duplicate
 * events. Rejects when the first connection fails.
 */
export async function* follow({ open, after, signal, notice }: FollowOptions): AsyncGenerator<string, void> {
  let last = after;
  let retryMs = firstRetryMs;
  let state: "first" | "connected" | "broken" = "first";

  function* read({ id, event, data, retry }: Frame): Generator<string, void> {
    if (retry !== undefined) retryMs = retry;
    if (event === "gap") notice(gapText(data));
    if (event !== undefined || data === undefined) return;
    last = id ?? last;
    yield data;
  }

  while (!signal.aborted) {
    try {
      const body = await open(last);
      if (state === "broken") notice("reconnected");
      state = "connected";
      for await (const frame of readFrames(body)) yield* read(frame);
    } catch (error) {
      if (signal.aborted) return;
      if (state === "first" || !isTransient(error)) throw error;
    }
    if (state === "connected" && !signal.aborted) notice("the connection is broken; reconnecting");
    state = "broken";
    // An abort ends the wait and the loop.
    await scheduler.wait(retryMs, { signal }).catch(() => undefined);
  }
}
