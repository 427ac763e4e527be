import type { FromWorker, ToWorker } from "../thread/messages.ts";
import type { ThreadEnd } from "./thread-end.ts";

/** What a thread is asked to do: a call, or a module that is evaluated to see what it exports. */
export interface Job {
  /** Changes when it starts over, so that messages of its former life are not mistaken for news. */
  id: number;
  ticket: number;
  readonly userId: string;
  readonly sourceId: string;
  readonly code: { readonly hash: string; readonly code: string };
  /** Something outside has seen it: starting over would show there. */
  readonly isVisible: boolean;
  /** Its limit counts the time of a processor: that of waiting for one is added. */
  readonly isTimedByCpu: boolean;
  /** Threads that ended under it, for whatever reason, and how many may. */
  restarts: number;
  readonly maxRestarts: number;
  /** Time of processors since it began, or was last calm, as far as the watchdog has seen it. */
  cpuMs: number;
  /** When it was posted, or seen in guest code. */
  seenAt: number;
  /** It, or its source before, has used a processor for long. */
  isLong: boolean;
  message(): ToWorker;
  /** Handles a message of it; answers go out through `post`. */
  receive(message: FromWorker, post: (message: ToWorker, transfer?: ArrayBuffer[]) => void): void;
  /** Forgets what has happened: it begins anew elsewhere. */
  startOver(): void;
  /** Ends with its thread. */
  lost(end: ThreadEnd): void;
  /** Ends without having happened. */
  close(): void;
}
