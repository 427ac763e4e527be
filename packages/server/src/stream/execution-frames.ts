import type { ExecutionsFilter, UserRuntime } from "@x/runtime";

import type { Hold } from "@x/http";
import { checkEmitter } from "../emitter-kind.ts";
import { viewExecutionSummary } from "@x/resources";
import { withBeats } from "./beats.ts";
import { beatFrame, noticeFrame, openingFrame } from "./frames.ts";

/** A client's request for executions as they are committed. */
export interface ExecutionStreamRequest {
  /** Acts for the listening user. */
  readonly runtime: UserRuntime;
  /** The stream ends when this key is revoked. */
  readonly apiKey: string;
  /** A source or workflow; absent: all of the user's. */
  readonly sourceId?: string;
  /** Starts with the stored executions that were committed after this one. */
  readonly after?: string;
  readonly select: (resource: object) => object;
  readonly hold: Hold;
}

/** The text of a stream of executions. Subscribes at once. */
export function executionFrames(
  request: ExecutionStreamRequest,
  limits: Pick<ExecutionsFilter, "signal" | "backlog">,
  beatMs: number,
): AsyncGenerator<string, void> {
  const { runtime, apiKey, sourceId, after, select } = request;
  let hasGap = false;
  const executions = runtime.executions({
    apiKey,
    ...limits,
    ...(sourceId !== undefined && { sourceId }),
    ...(after !== undefined && { after, onGap: () => void (hasGap = true) }),
  });

  async function* write(): AsyncGenerator<string, void> {
    yield openingFrame;
    for await (const item of withBeats(executions, beatMs)) {
      if (hasGap) {
        hasGap = false;
        yield noticeFrame("gap", { after });
      }
      if (item !== "beat") {
        yield `id: ${item.id}\ndata: ${JSON.stringify(select(viewExecutionSummary(item)))}\n\n`;
        continue;
      }
      // Rejects when the source is gone, which ends the stream.
      if (sourceId !== undefined) await checkEmitter(runtime, sourceId);
      yield beatFrame;
    }
  }
  return write();
}
