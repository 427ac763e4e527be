import { frames, type StreamRequest } from "./frames.ts";

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
  /** Ends all streams; clients reconnect and resume. */
  close(): void;
}

const defaultBeatMs = 15_000;

/** Server-sent events of sources and workflows. */
export function createStreams(options: StreamsOptions): Streams {
  const { beatMs = defaultBeatMs, backlog, report } = options;
  const open = new Set<AbortController>();
  let closed = false;

  return {
    open(request) {
      const { sourceId, runtime, apiKey, stream, name } = request;
      const stop = new AbortController();
      if (closed) stop.abort();
      else open.add(stop);
      const filter = {
        sourceId,
        stream,
        apiKey,
        signal: stop.signal,
        ...(name !== undefined && { name }),
        ...(backlog !== undefined && { backlog }),
      };
      const live = runtime.events(filter);
      const made = frames(request, live, { stopped: stop.signal, beatMs });
      const encoder = new TextEncoder();
      const { hold } = request;
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
    },
    close() {
      closed = true;
      for (const stop of open) stop.abort();
      open.clear();
    },
  };
}
