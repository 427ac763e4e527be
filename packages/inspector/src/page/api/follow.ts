import { createEventParser, type ServerEvent } from "@x/client";

import { ApiError, authorization, type Query, send } from "./client.ts";
import { session } from "./session.ts";

/** Where a stream stands: `off` when the service does not have it. */
export type FollowState = "connecting" | "open" | "waiting" | "off";

export interface FollowOptions {
  readonly path: string;
  readonly query?: Query;
  readonly event: (event: ServerEvent) => void;
  readonly state?: (state: FollowState) => void;
}

const firstWaitMs = 1_000;
const longestWaitMs = 20_000;

/** Reads one connection to its end. */
async function readStream(response: Response, feed: (text: string) => void): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) feed(part.value);
}

/** True until the page is hidden for good: a window in the background gives its connection to others. */
const isShown = (): boolean => document.visibilityState === "visible";

/**
 * Follows server-sent events until the returned function is called. It connects again after failures, with the id of the last
 * event, and while the page is hidden it does not connect.
 */
export function follow({ path, query, event, state = () => undefined }: FollowOptions): () => void {
  const stop = new AbortController();
  let lastId = "";
  let wait = firstWaitMs;
  let wake: () => void = () => undefined;
  let connection = new AbortController();

  const createParser = () =>
    createEventParser({
      retry: () => undefined,
      event(given) {
        lastId = given.id || lastId;
        wait = firstWaitMs;
        event(given);
      },
    });

  async function connect(): Promise<void> {
    connection = new AbortController();
    const signal = AbortSignal.any([stop.signal, connection.signal]);
    state("connecting");
    const headers = { ...authorization(), ...(lastId !== "" && { "last-event-id": lastId }) };
    const response = await send(path, { headers, signal }, query);
    state("open");
    await readStream(response, createParser());
  }

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  function watchVisibility(): void {
    if (isShown()) wake();
    else connection.abort();
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted && session.value) {
      if (isShown()) {
        try {
          await connect();
        } catch (error) {
          // Refused for good: the stream or its source does not exist.
          if (error instanceof ApiError && error.status >= 400 && error.status < 429) return state("off");
        }
        if (stop.signal.aborted) return;
      }
      state("waiting");
      await pause(isShown() ? wait : 2 ** 31 - 1);
      wait = Math.min(wait * 2, longestWaitMs);
    }
  }

  document.addEventListener("visibilitychange", watchVisibility);
  void run().finally(() => document.removeEventListener("visibilitychange", watchVisibility));
  return () => {
    stop.abort();
    wake();
  };
}
