/** Most requests that continue without room, so that some of those that wait finish. */
const maxUrgent = 4;

/**
 * Counts the bytes of requests and replies that the host holds. What has no room waits until components have received
 * earlier replies. One request of each call, and a few in all, continue without room: otherwise requests could wait for each
 * other for ever.
 */
export class Flight {
  readonly limit: number;
  used = 0;
  readonly urgent: Set<Hold> = new Set();
  /** Requests that wait, the oldest first. */
  readonly waiting: Set<Hold> = new Set();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Resumes the requests that have room now. */
  wake(): void {
    for (const hold of this.waiting) hold.retry();
  }
}

/** Counts the bytes of one call's requests: at most `limit`, and one body more. */
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

  /** Begins a request with a body of so many bytes; undefined when this call holds too many. Other calls do not count. */
  open(bytes: number): Hold | undefined {
    if (bytes > 0 && this.used + bytes > this.limit) return undefined;
    return new Hold(this, bytes);
  }
}

/** Counts the bytes of one request. */
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
    if (isTaken || urgent.size >= maxUrgent) return false;
    urgent.add(this);
    return true;
  }

  /** Counts bytes before they are held. The returned promise, if any, has to be awaited; `release` ends the wait too. */
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

  /** Resumes the request if there is room now. */
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

  /** The reply has been read completely, and waits for the component. */
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
