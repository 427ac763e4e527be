import { scheduler } from "node:timers/promises";

import { isCodedError, UsageError } from "../errors.ts";

/** One frame of a stream of server-sent events. */
export interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  /** Milliseconds to wait before coming back. */
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

/** The frames in a body; comments are left out, and so is a frame that the end of the body cuts. */
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
  /** Asks for the events after one. */
  open(lastEventId: string): Promise<AsyncIterable<Uint8Array>>;
  /** The event that was seen last. */
  readonly after: string;
  readonly signal: AbortSignal;
  /** Hears what is no event: breaks, and events that are gone. */
  notice(text: string): void;
}

const firstRetryMs = 2_000;

/** What another try may mend: nobody answers, a connection breaks, a service that starts, stops or has too much to do. */
function isPassing(error: unknown): boolean {
  if (error instanceof UsageError) return false;
  return !isCodedError(error) || error.code === "closed" || error.code === "rate_limited" || error.code === "internal";
}

function gapText(data = "{}"): string {
  const { oldest } = JSON.parse(data) as { oldest?: string };
  return `some events are gone, as only the newest are kept; the next one is ${oldest}`;
}

/**
 * The data of each event after one, until the signal. A connection that breaks is made again, and goes on where it was:
 * nothing is missed, nothing comes twice. Rejects when the first connection cannot be made.
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
      if (state === "broken") notice("connected again");
      state = "connected";
      for await (const frame of readFrames(body)) yield* read(frame);
    } catch (error) {
      if (signal.aborted) return;
      if (state === "first" || !isPassing(error)) throw error;
    }
    if (state === "connected" && !signal.aborted) notice("the connection broke; trying again");
    state = "broken";
    // An abort ends the wait, and with it the loop.
    await scheduler.wait(retryMs, { signal }).catch(() => undefined);
  }
}
