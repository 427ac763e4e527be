/** Records of a run that are posted at once, so that they outlive its thread, in multiples of those that are kept. */
const postedTimes = 10;

/** What a run logs beyond what is posted at once: the last records wait for its end (S32), so that no flood leaves the thread. */
export class LogTail<Log> {
  readonly #keep: number;
  #posted = 0;
  #waiting: Log[] = [];
  #dropped = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** How many will never be posted. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The record, when it is to be posted now. */
  add(log: Log): Log | undefined {
    if (this.#posted < postedTimes * this.#keep) {
      this.#posted += 1;
      return log;
    }
    this.#waiting.push(log);
    if (this.#waiting.length > 2 * this.#keep) this.#trim();
    return undefined;
  }

  /** What is left to post. */
  end(): readonly Log[] {
    this.#trim();
    return this.#waiting.splice(0);
  }

  #trim(): void {
    const excess = Math.max(0, this.#waiting.length - this.#keep);
    this.#dropped += excess;
    this.#waiting.splice(0, excess);
  }
}
