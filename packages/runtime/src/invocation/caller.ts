/** What makes a request: a run of a source, or a question to a component, which has no lane. */
export interface Caller {
  readonly sourceId?: string;
  readonly userId: string;
  /** Subscriptions and calls of endpoints that led to it, one after another. */
  readonly hops: number;
}
