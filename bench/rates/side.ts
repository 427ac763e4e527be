/** One of the programs that are compared. Each event reads and writes a db value, is compared with known ids, and is stored. */
export interface Side {
  /**
   * Adds sources that tick each interval, spread over it. `done` is called after the commit of each tick, with the time since
   * it was due, in ms. Resolves when all are there.
   */
  addTimers(count: number, intervalMs: number, done: (lateMs: number) => void): Promise<void>;
  /** Adds one source for requests. */
  addEndpoint(): Promise<void>;
  /** Handles a request; resolves when everything that it led to is committed. */
  request(body: string): Promise<void>;
  /** Transactions so far, each with one fdatasync; null where nobody counts them. */
  transactions(): Promise<number | null>;
  close(): Promise<void>;
}
