import type { FromWorker, ToWorker } from "../thread/messages.ts";

/** Work for a thread: a call, or the description of a module. */
export interface Job {
  /** Changes when the job starts over, so that messages from its first thread are ignored. */
  id: number;
  ticket: number;
  readonly userId: string;
  readonly sourceId: string;
  readonly code: { readonly hash: string; readonly code: string };
  /** The job has sent a request or a response, which starting over would repeat. */
  readonly isVisible: boolean;
  /** Its timeout is CPU time: the time it waits for a processor does not count. */
  readonly isTimedByCpu: boolean;
  /** How many threads have ended under it. */
  restarts: number;
  readonly maxRestarts: number;
  /** CPU time in ms that the watchdog has seen, since it began or was last calm. */
  cpuMs: number;
  /** When it was posted or last seen in guest code, in ms of the shared clock. */
  seenAt: number;
  /** It, or the last job of its source, has used much CPU time. */
  isLong: boolean;
  /** The message that starts it in a thread. */
  message(): ToWorker;
  /** It was posted to a thread, which gets what comes later through `post`. */
  posted?(post: (message: ToWorker) => void): void;
  /** Handles a message about it; replies go out through `post`. */
  receive(message: FromWorker, post: (message: ToWorker, transfer?: ArrayBuffer[]) => void): void;
  /** Discards its effects, because it starts over. */
  startOver(): void;
  /** Ends it together with its thread. */
  lost(end: CrashEnd): void;
  /** Ends it as if it had never started. */
  close(): void;
}

/** How a thread ended, for one of its jobs. */
export interface ThreadEnd {
  readonly problem: string;
  /** The pool is closing. */
  readonly isClosing: boolean;
  /** No other thread will run the job. */
  readonly isFinal: boolean;
  /** The scheduler ended the thread for a reason of its own. */
  readonly isEndedByScheduler: boolean;
  /** The thread was executing the job. */
  readonly wasInside: boolean;
  /** The thread was executing the job after its deadline. */
  readonly isLate: boolean;
}

/** The end of a job that ended its thread. */
export interface CrashEnd extends ThreadEnd {
  /** How long the next job of its source waits, in ms; 0 when it does not wait. */
  readonly pauseMs: number;
}

/** Whether the job is to blame for the end of its thread; so is a job under which threads end again and again. */
export const isToBlame = (
  { isEndedByScheduler, wasInside }: ThreadEnd,
  { restarts, maxRestarts }: Pick<Job, "restarts" | "maxRestarts">,
): boolean => !isEndedByScheduler && (wasInside || restarts >= maxRestarts);

/** Jobs that wait for a thread. Long jobs wait apart: however many they are, the others are sorted without them. */
export class JobQueue {
  #short: Job[] = [];
  #long: Job[] = [];

  get hasShort(): boolean {
    return this.#short.length > 0;
  }

  add(job: Job): void {
    (job.isLong ? this.#long : this.#short).push(job);
  }

  remove(job: Job): void {
    this.#short = this.#short.filter((each) => each !== job);
    this.#long = this.#long.filter((each) => each !== job);
  }

  takeShort(): readonly Job[] {
    return this.#short.splice(0);
  }

  takeLong(): readonly Job[] {
    return this.#long.splice(0);
  }
}
