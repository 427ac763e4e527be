/** One POST to a webhook. */
export interface Post {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** What a receiver said. */
export interface PostReply {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Sends POSTs by the network policy; redirects are answers like any other. */
export interface Poster {
  /** The rule that forbids this URL as it is written. */
  forbidden(url: string): string | undefined;
  /** Rejects with `address_forbidden` or `network_failed`. */
  post(post: Post, signal: AbortSignal): Promise<PostReply>;
  /** Ends every connection. */
  close(): Promise<void>;
}
