/** Of requests that go on although there is no room, so that some of those that wait come to their end. */
const mostUrgent = 4;

/**
 * The bytes of requests and answers that are held outside of sandboxes. What has no room waits until components have taken
 * what came before. One request of a call goes on all the same, of all calls a few: those that wait for each other would
 * wait for ever.
 */
export class Flight {
  readonly limit: number;
  used = 0;
  readonly urgent: Set<Hold> = new Set();
  /** Requests that wait, in their order. */
  readonly waiting: Set<Hold> = new Set();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Those go on that have room now. */
  wake(): void {
    for (const hold of this.waiting) hold.retry();
  }
}

/** What the requests of one call hold: at most so many bytes, and one body more. */
export class CallFlight {
  readonly flight: Flight;
  readonly limit: number;
  used = 0;

  constructor(flight: Flight, limit: number) {
    this.flight = flight;
    this.limit = Math.min(limit, flight.limit);
  }

  hasRoom(bytes: number): boolean {
    const { flight, limit, used } = this;
    return used + bytes <= limit && flight.used + bytes <= flight.limit;
  }

  add(bytes: number): void {
    this.used += bytes;
    this.flight.used += bytes;
  }

  /** A request that brings its body; undefined when the call holds too much for it. What other calls hold is not its fault. */
  open(bytes: number): Hold | undefined {
    if (bytes > 0 && this.used + bytes > this.limit) return undefined;
    return new Hold(this, bytes);
  }
}

/** What one request holds. */
export class Hold {
  readonly #call: CallFlight;
  #bytes = 0;
  #isOver = false;
  #wanted: { readonly bytes: number; readonly go: () => void } | undefined;

  constructor(call: CallFlight, bytes: number) {
    this.#call = call;
    this.#add(bytes);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    this.#call.add(bytes);
  }

  #fits(bytes: number): boolean {
    const { urgent } = this.#call.flight;
    if (this.#call.hasRoom(bytes) || urgent.has(this)) return true;
    const isTaken = [...urgent].some((other) => other.#call === this.#call);
    if (isTaken || urgent.size >= mostUrgent) return false;
    urgent.add(this);
    return true;
  }

  /** Counts bytes before they are kept. They may have to wait; the wait also ends with `release`. */
  take(bytes: number): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    if (this.#fits(bytes)) {
      this.#add(bytes);
      return undefined;
    }
    return new Promise((go) => {
      this.#wanted = { bytes, go };
      this.#call.flight.waiting.add(this);
    });
  }

  /** Goes on if there is room now. */
  retry(): void {
    if (!this.#wanted || !this.#fits(this.#wanted.bytes)) return;
    this.#add(this.#wanted.bytes);
    this.#resume();
  }

  #resume(): void {
    this.#call.flight.waiting.delete(this);
    this.#wanted?.go();
    this.#wanted = undefined;
  }

  /** Nothing more is read; what is held waits for the component. */
  arrived(): void {
    if (this.#call.flight.urgent.delete(this)) this.#call.flight.wake();
  }

  /** Nothing is held any more. */
  release(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resume();
    this.#add(-this.#bytes);
    this.#call.flight.urgent.delete(this);
    this.#call.flight.wake();
  }
}
