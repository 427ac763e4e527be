import { closedError } from "../closed.ts";
import type { Bundle, DescribeLimits, Description } from "../contract.ts";
import type { FromWorker, ToWorker } from "../thread/messages.ts";
import type { Job } from "./job.ts";
import { endedDescription, type ThreadEnd } from "./thread-end.ts";

/** A module that is evaluated to see what it exports. */
export class RunningDescription implements Job {
  id = 0;
  ticket = 0;
  restarts = 0;
  readonly maxRestarts = 10;
  cpuMs = 0;
  seenAt = 0;
  isLong = false;
  readonly isVisible = false;
  readonly isTimedByCpu = true;
  readonly code: Bundle;
  readonly userId: string;
  /** Each module has its own turn. */
  readonly sourceId: string;
  readonly #limits: DescribeLimits;
  readonly #resolve: (description: Description) => void;

  constructor(code: Bundle, limits: DescribeLimits, resolve: (description: Description) => void) {
    this.code = code;
    this.userId = limits.userId ?? "";
    this.sourceId = `module ${code.hash}`;
    this.#limits = limits;
    this.#resolve = resolve;
  }

  message(): ToWorker {
    return { k: "describe", id: this.id, ticket: this.ticket, code: this.code.code, limits: this.#limits };
  }

  receive(message: FromWorker): void {
    if (message.k !== "described") return;
    const { error, json } = message;
    this.#resolve(error ? { ok: false, error } : { ok: true, json: json ?? "null" });
  }

  startOver(): void {
    this.cpuMs = 0;
  }

  lost(end: ThreadEnd): void {
    this.#resolve(endedDescription(this.#limits, end));
  }

  close(): void {
    this.#resolve({ ok: false, error: closedError });
  }
}
