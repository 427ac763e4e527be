import type { EventsFilter, StoredEvent, UserRuntime } from "@x/runtime";

import type { Hold } from "@x/http";
import { checkEmitter } from "../emitter-kind.ts";
import { withBeats } from "./beats.ts";
import { beatFrame, dataFrame, inPieces, openingFrame } from "./frames.ts";

/** A client's request for log records as they are committed. */
export interface LogStreamRequest {
  /** Acts for the listening user. */
  readonly runtime: UserRuntime;
  /** The stream ends when this key is revoked. */
  readonly apiKey: string;
  /** A source or workflow; absent: all of the user's. */
  readonly sourceId?: string;
  /** Only records for which it is true. */
  readonly matches?: (event: StoredEvent) => boolean;
  readonly select: (resource: object) => object;
  readonly hold: Hold;
}

/** The text of a stream of log records. Subscribes at once. */
export function logFrames(
  { runtime, apiKey, sourceId, matches = () => true, select }: LogStreamRequest,
  limits: Pick<EventsFilter, "signal" | "backlog">,
  beatMs: number,
): AsyncGenerator<string, void> {
  const live = runtime.events({ stream: "$logs", apiKey, ...limits, ...(sourceId !== undefined && { sourceId }) });

  async function* write(): AsyncGenerator<string, void> {
    yield openingFrame;
    for await (const item of withBeats(live, beatMs)) {
      if (item === "beat") {
        // Rejects when the source is gone, which ends the stream.
        if (sourceId !== undefined) await checkEmitter(runtime, sourceId);
        yield beatFrame;
      } else if (matches(item.event)) yield* inPieces(dataFrame(item.event, select));
    }
  }
  return write();
}
