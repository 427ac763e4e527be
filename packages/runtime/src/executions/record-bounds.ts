import type { TraceBounds } from "../invocation/run-trace.ts";

const KiB = 1024;

/** Bounds of the record of one execution, beside its event. Sizes are characters of JSON or of text. */
export interface RecordBounds {
  /** Items of each list. */
  readonly items: number;
  readonly payload: number;
  /** All payloads of emitted and dropped events together. */
  readonly payloads: number;
  readonly body: number;
  /** All bodies together. */
  readonly bodies: number;
  /** All headers of one message together. */
  readonly headers: number;
  /** The target of a request to an endpoint; and all its headers together. */
  readonly received: number;
  readonly url: number;
  /** All log records together; the last ones are kept. */
  readonly logs: number;
  /** The values of one key of the db or of a data store before and after. */
  readonly dbChange: number;
  /** All values of the db together, and those of data stores. */
  readonly db: number;
  readonly exports: number;
  /** The props that it ran with. */
  readonly props: number;
  readonly message: number;
  readonly stack: number;
  /** Message of the error in a list of executions. */
  readonly shownMessage: number;
}

export const recordBounds: RecordBounds = {
  items: 100,
  payload: 16 * KiB,
  payloads: 64 * KiB,
  body: 16 * KiB,
  bodies: 96 * KiB,
  headers: 4 * KiB,
  received: 16 * KiB,
  url: 2 * KiB,
  logs: 64 * KiB,
  dbChange: 8 * KiB,
  db: 32 * KiB,
  exports: 16 * KiB,
  props: 16 * KiB,
  message: 4 * KiB,
  stack: 16 * KiB,
  shownMessage: 300,
};

/**
 * A text that is cut before it is masked may end within a secret, which is not found there. So it is kept longer by this
 * many characters, and these are left out after it is masked: no secret of at most this length is shown in part.
 */
export const slack: number = 4 * KiB;

/** Bounds of what a running call keeps for its record. */
export const traceBounds: TraceBounds = {
  exchanges: recordBounds.items,
  steps: recordBounds.items,
  bodyBytes: recordBounds.body + slack,
  bodiesBytes: recordBounds.bodies + 8 * slack,
  urlChars: recordBounds.url + slack,
  headers: 64,
  headerChars: recordBounds.headers + slack,
};

/** Most characters of an event: a request event contains its body twice, as text and parsed. */
export const eventChars = (httpBodyBytes: number): number => 2 * httpBodyBytes + 64 * KiB;

/** Room that the items of a record share. */
export class Room {
  left: number;

  constructor(size: number) {
    this.left = size;
  }

  /** Takes room for a text of this length; false, without taking any, when it exceeds the room or `most`. */
  take(length: number, most: number): boolean {
    if (length > most || length > this.left) return false;
    this.left -= length;
    return true;
  }
}
