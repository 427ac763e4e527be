/** The head of a request to an endpoint, as it was received. */
export interface ReceivedHead {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  /** Such as `1.1`; absent where it is not known. */
  readonly httpVersion?: string;
  /** In their order and case; repeated names stay apart. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A request as it was received, at the start of its run. */
export interface LoadedRequest {
  /** JSON text of its `ReceivedHead`. */
  readonly head: string;
  /** A body that was stored apart from the event. */
  readonly body?: Uint8Array;
}
