import { closedError } from "../closed.ts";
import { moduleTimedOut } from "../timeouts.ts";
import type { Bundle, DescribeLimits, Description } from "../contract.ts";
import type { FromWorker, ToWorker } from "../thread/messages.ts";
import type { Job, ThreadEnd } from "./job.ts";

/** The evaluation of a module that describes what it exports. */
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
  /** Each module takes turns as a source of its own. */
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

  lost({ isClosing, isLate, problem }: ThreadEnd): void {
    if (isClosing) return this.close();
    const message = `Evaluating the module ended the sandbox: ${problem}`;
    const crash = { code: "sandbox_crashed", name: "Error", message, stack: "" };
    this.#resolve({ ok: false, error: isLate ? moduleTimedOut(this.#limits.timeoutMs) : crash });
  }

  close(): void {
    this.#resolve({ ok: false, error: closedError });
  }
}
