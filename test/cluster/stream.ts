import { setTimeout as pause } from "node:timers/promises";

import { apiKey } from "../faults/service.child.ts";

/** Follows a source by server-sent events; resumes with `Last-Event-ID` when its node goes. */
export interface Stream {
  /** Ids of the events, in the order of their arrival. */
  readonly ids: readonly string[];
  /** How often it was cut off. */
  readonly resumed: number;
  stop(): Promise<void>;
}

const againMs = 200;
/** A frozen node closes nothing: without a heartbeat for this long, the stream is opened again. */
const silenceMs = 20_000;

/** Follows from the first event that is emitted from now on. */
export function followSource(url: string, id: string): Stream {
  const ids: string[] = [];
  const ending = new AbortController();
  let resumed = -1;

  async function readOnce(): Promise<void> {
    resumed += 1;
    const last = ids.at(-1);
    const cut = new AbortController();
    let watch = setTimeout(() => cut.abort(), silenceMs);
    try {
      const response = await fetch(`${url}/v1/sources/${id}/sse${last === undefined ? "?replay=100" : ""}`, {
        headers: { authorization: `Bearer ${apiKey}`, ...(last === undefined ? {} : { "last-event-id": last }) },
        signal: AbortSignal.any([ending.signal, cut.signal]),
      });
      if (!response.ok) await response.text();
      let text = "";
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        clearTimeout(watch);
        watch = setTimeout(() => cut.abort(), silenceMs);
        text += chunk;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const found = /^id: ?(\S+)$/m.exec(text.slice(0, end));
          if (/^event: ?gap$/m.test(text.slice(0, end))) ids.push("gap");
          else if (found?.[1] !== undefined) ids.push(found[1]);
          text = text.slice(end + 2);
        }
      }
    } finally {
      clearTimeout(watch);
    }
  }

  const reading = (async () => {
    while (!ending.signal.aborted) {
      await readOnce().catch(() => undefined);
      if (!ending.signal.aborted) await pause(againMs);
    }
  })();
  return {
    ids,
    get resumed() {
      return Math.max(0, resumed);
    },
    async stop() {
      ending.abort();
      await reading;
    },
  };
}

/** What a stream left out or repeated of the events of its source. */
export function judgeStream(label: string, { ids }: Pick<Stream, "ids">, stored: readonly string[]): string[] {
  const from = stored.indexOf(ids[0] ?? "");
  if (from < 0) return [`${label}: its stream has ${ids.length} events, and began with ${String(ids[0])}`];
  const expected = stored.slice(from);
  const wrong = ids.findIndex((id, index) => id !== expected[index]);
  if (wrong >= 0) return [`${label}: its stream has ${String(ids[wrong])} where ${String(expected[wrong])} was due`];
  return ids.length < expected.length
    ? [`${label}: its stream lacks the last ${expected.length - ids.length} events`]
    : [];
}
