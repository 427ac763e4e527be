/** Where a flood goes. */
export interface FloodTarget {
  /** Of the service, without a trailing slash and without /v1. */
  readonly url: string;
  /** API key of a user of the flood's own. */
  readonly apiKey: string;
}

/** Ends everything that a flood has open. */
export type StopFlood = () => Promise<void>;

/** Something that sends, asks for or leaves unread as much as it can. */
export interface Flood {
  readonly name: string;
  readonly about: string;
  /** Resolves when it is under way. */
  start(target: FloodTarget): Promise<StopFlood>;
}
