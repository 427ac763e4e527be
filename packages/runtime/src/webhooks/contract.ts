/** One POST to a webhook. */
export interface Post {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** The answer of a receiver. */
export interface PostReply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The beginning of the body. `bytes`: of all of it, as far as it was read. */
  readonly body: { readonly bytes: number; readonly head: Uint8Array };
}

/** Sends POSTs by the network policy; does not follow redirects. */
export interface Poster {
  /** The rule that forbids this URL as it is written; undefined: no rule does. */
  forbidden(url: string): string | undefined;
  /** Rejects with `address_forbidden` or `network_failed`. */
  post(post: Post, signal: AbortSignal): Promise<PostReply>;
  /** Closes every connection. */
  close(): Promise<void>;
}
