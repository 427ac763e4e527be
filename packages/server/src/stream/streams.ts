import type { Hold } from "@x/http";
import { executionFrames, type ExecutionStreamRequest } from "./execution-frames.ts";
import { frames, type StreamRequest } from "./frames.ts";
import { logFrames, type LogStreamRequest } from "./log-frames.ts";

export interface StreamsOptions {
  /** Milliseconds between keep-alive comments. Default: 15,000. */
  readonly beatMs?: number;
  /** Most events queued for a slow client; its stream ends when there are more. Default: that of the runtime. */
  readonly backlog?: number;
  /** Receives errors that end a stream. */
  report(error: unknown): void;
}

/** The open streams of one app. */
export interface Streams {
  /** Subscribes at once; bytes are made on read. Cancelling the stream ends the subscription. */
  open(request: StreamRequest): ReadableStream<Uint8Array>;
  /** The same for executions. */
  openExecutions(request: ExecutionStreamRequest): ReadableStream<Uint8Array>;
  /** The same for log records of all sources. */
  openLogs(request: LogStreamRequest): ReadableStream<Uint8Array>;
  /** Ends all streams; clients reconnect and resume. */
  close(): void;
}

const defaultBeatMs = 15_000;

/** Server-sent events of sources and workflows. */
export function createStreams(options: StreamsOptions): Streams {
  const { beatMs = defaultBeatMs, backlog, report } = options;
  const open = new Set<AbortController>();
  let closed = false;

  /** `make` subscribes at once; the subscription ends with its signal. */
  function openStream(hold: Hold, make: (stopped: AbortSignal) => AsyncIterator<string>): ReadableStream<Uint8Array> {
    const stop = new AbortController();
    if (closed) stop.abort();
    else open.add(stop);
    const made = make(stop.signal);
    const encoder = new TextEncoder();
    let isCancelled = false;
    const free = (): void => {
      open.delete(stop);
      stop.abort();
      hold.release();
    };
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          hold.onEvict(() => {
            isCancelled = true;
            free();
            controller.error(new Error("The stream was not read in time"));
          });
        },
        async pull(controller) {
          hold.move(hold.bytes);
          try {
            const { value, done } = await made.next();
            if (isCancelled) return;
            if (!done) controller.enqueue(encoder.encode(value));
            else {
              free();
              controller.close();
            }
          } catch (error) {
            // The client has left.
            if (isCancelled) return;
            const isEnding = stop.signal.aborted;
            free();
            if (isEnding) {
              controller.close();
              return;
            }
            report(error);
            controller.error(error);
          }
        },
        cancel() {
          isCancelled = true;
          free();
        },
      },
      { highWaterMark: 0 },
    );
  }

  const limits = backlog === undefined ? {} : { backlog };
  return {
    open: (request) =>
      openStream(request.hold, (stopped) => {
        const { sourceId, runtime, apiKey, stream, name } = request;
        const filter = {
          sourceId,
          stream,
          apiKey,
          signal: stopped,
          ...(name !== undefined && { name }),
          ...limits,
        };
        return frames(request, runtime.events(filter), { stopped, beatMs });
      }),
    openExecutions: (request) =>
      openStream(request.hold, (signal) => executionFrames(request, { signal, ...limits }, beatMs)),
    openLogs: (request) => openStream(request.hold, (signal) => logFrames(request, { signal, ...limits }, beatMs)),
    close() {
      closed = true;
      for (const stop of open) stop.abort();
      open.clear();
    },
  };
}
