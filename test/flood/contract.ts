/** A user of the service under test. */
export interface Account {
  /** URL of the service, without a trailing slash and without /v1. */
  readonly url: string;
  readonly apiKey: string;
}

/** The target of a flood: a user of its own. */
export interface FloodTarget extends Account {
  /** Part of the counts of a whole flood, from 0 to 1. */
  readonly share: number;
}

/** Ends the flood and closes its connections. */
export type StopFlood = () => Promise<void>;

/** A client that sends, requests or leaves unread as much as possible. */
export interface Flood {
  readonly name: string;
  readonly about: string;
  /** What the neighbours keep where that is more than for other floods. */
  readonly goals?: {
    /** Of their answers without the flood, from 0 to 1. */
    readonly share: number;
    /** The 99th percentile of their durations, as a multiple of that without the flood. */
    readonly slowdown: number;
  };
  /** Resolves when the flood runs. */
  start(target: FloodTarget): Promise<StopFlood>;
}
