/** The target of a flood. */
export interface FloodTarget {
  /** URL of the service, without a trailing slash and without /v1. */
  readonly url: string;
  /** API key of a user for the flood. */
  readonly apiKey: string;
}

/** Ends the flood and closes its connections. */
export type StopFlood = () => Promise<void>;

/** A client that sends, requests or leaves unread as much as possible. */
export interface Flood {
  readonly name: string;
  readonly about: string;
  /** Resolves when the flood runs. */
  start(target: FloodTarget): Promise<StopFlood>;
}
