import type { BundleStack } from "./bundle-text.ts";
import type { EffectRules } from "./effects.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { guestOp, hostOp } from "../ops.ts";
import { cutText } from "@x/model";
import { parseGuestText, splitLine } from "./guest-json.ts";

type Rules = Pick<EffectRules, "logsPerRun" | "logRecordBytes">;

/** What each rejection counts in addition to its characters. */
const entryChars = 1_024;

/** Unhandled promise rejections of one call. The guest reports them when it is asked. */
export class Rejections {
  readonly #rules: Rules;
  readonly #stackOf: BundleStack;
  readonly #reasons = new Map<number, string>();
  /** Characters that are left; in all as many as a run may log. */
  #room: number;
  #isAnnounced = false;

  constructor(rules: Rules, stackOf: BundleStack) {
    this.#stackOf = stackOf;
    this.#rules = rules;
    this.#room = rules.logsPerRun * rules.logRecordBytes;
  }

  /** Whether the guest has jobs to run, or rejections that it has not reported. */
  hasNext(machine: GuestMachine): boolean {
    return this.#isAnnounced || machine.hasJobs();
  }

  /** Runs up to `max` jobs, or asks for rejections when all have run. False: the guest cannot continue. */
  next(machine: GuestMachine, max: number): boolean {
    if (machine.hasJobs()) return machine.runJobs(max);
    this.#isAnnounced = false;
    return machine.enter(guestOp.rejections, "");
  }

  /** Handles a host call about rejections. False: it is about something else. Throws when it is malformed. */
  receive(op: number, text: string): boolean {
    if (op === hostOp.rejecting) this.#isAnnounced = true;
    else if (op === hostOp.rejected) this.#add(...splitLine(text));
    else if (op === hostOp.rejectionHandled) this.#remove(Number(text));
    else return false;
    return true;
  }

  /** Log messages of the rejections that are still unhandled. */
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
