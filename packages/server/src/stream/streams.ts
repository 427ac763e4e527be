import { frames, type StreamRequest } from "./frames.ts";

export interface StreamsOptions {
  /** Default 15 000. */
  readonly beatMs?: number;
  /** Most events that may wait for a slow client; then its stream ends. Default: the runtime's. */
  readonly backlog?: number;
  /** Hears about what broke a stream. */
  report(error: unknown): void;
}

/** The open streams of one app. */
export interface Streams {
  /** Subscribes now; the bytes are made as they are read. Cancelling the stream frees everything. */
  open(request: StreamRequest): ReadableStream<Uint8Array>;
  /** Ends all of them; the clients come back to resume. */
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
            hold.letGo(() => {
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
              // Nobody is left to tell.
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
