import type { BundleStack } from "./bundle-text.ts";
import type { EffectRules } from "./effects.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { guestOp, hostOp } from "../ops.ts";
import { cutText } from "../../model/text-limits.ts";
import { parseGuestText } from "./guest-json.ts";
import { cutLine } from "./said.ts";

type Rules = Pick<EffectRules, "logsPerRun" | "logRecordBytes">;

/** So many characters each of them takes at least. */
const entryChars = 1_024;

/** Promises of one call that were rejected and that nobody handles. The guest tells of them when it is asked. */
export class Rejections {
  readonly #rules: Rules;
  readonly #stackOf: BundleStack;
  readonly #reasons = new Map<number, string>();
  /** They may be as long as all records that a run may log. */
  #room: number;
  #isAnnounced = false;

  constructor(rules: Rules, stackOf: BundleStack) {
    this.#stackOf = stackOf;
    this.#rules = rules;
    this.#room = rules.logsPerRun * rules.logRecordBytes;
  }

  /** Has the guest jobs to run, or rejections of which it has not told? */
  hasNext(machine: GuestMachine): boolean {
    return this.#isAnnounced || machine.hasJobs();
  }

  /** Runs up to `max` jobs; asks when all have run. False: the guest cannot go on. */
  next(machine: GuestMachine, max: number): boolean {
    if (machine.hasJobs()) return machine.runJobs(max);
    this.#isAnnounced = false;
    return machine.enter(guestOp.rejections, "");
  }

  /** Takes what the guest says of rejections; false when it is about something else. Throws when it is malformed. */
  hear(op: number, text: string): boolean {
    if (op === hostOp.rejecting) this.#isAnnounced = true;
    else if (op === hostOp.rejected) this.#add(...cutLine(text));
    else if (op === hostOp.rejectionHandled) this.#remove(Number(text));
    else return false;
    return true;
  }

  /** What authors read of those that are left. */
  get messages(): readonly string[] {
    return [...this.#reasons.values()].map((reason) => `A promise was rejected and nobody handled it: ${reason}`);
  }

  #add(number: string, text: string): void {
    const reason = this.#stackOf(cutText(parseGuestText(text), this.#rules.logRecordBytes)).trimEnd();
    this.#remove(Number(number));
    const chars = entryChars + reason.length;
    if (chars > this.#room) return;
    this.#room -= chars;
    this.#reasons.set(Number(number), reason);
  }

  #remove(number: number): void {
    const reason = this.#reasons.get(number);
    if (reason === undefined) return;
    this.#room += entryChars + reason.length;
    this.#reasons.delete(number);
  }
}
