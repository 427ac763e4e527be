import type { Answer } from "./answer.ts";

/** Facts about the client that a Web-standard request lacks. */
export interface ClientInfo {
  readonly clientIp?: string;
  /** Header names and values in turn, as received. */
  readonly rawHeaders?: readonly string[];
  /** Path and query as the client sent them, when a router has removed a prefix from the URL. */
  readonly originalUrl?: string;
  /** Path and query as they were sent. */
  readonly target?: string;
  readonly httpVersion?: string;
  /** The body, where somebody else has read it and kept its bytes. */
  readonly body?: Uint8Array | ArrayBuffer;
}

/** What a server serves. */
export interface Handler {
  /** Answers a request; never rejects. */
  fetch(request: Request, client?: ClientInfo): Promise<Response>;
  /** As `fetch`, for servers that write status, headers and body themselves. */
  answer(request: Request, client?: ClientInfo): Promise<Answer>;
  /** Prepares the end: `/healthz` answers 503, event streams end, and connections close after their answers. */
  drain(): void;
}
