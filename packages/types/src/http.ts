import type { Mistake } from "./mistake.ts";

/** One header of an answer, or several of its name; null and undefined leave it out. */
export type HeaderValue = string | number | boolean | readonly (string | number | boolean)[] | null | undefined;

/** Headers of an answer: a plain object, or the pairs of `Headers`, a `Map` or a list. */
export type AnswerHeaders = { readonly [name: string]: HeaderValue } | Iterable<readonly [string, HeaderValue]>;

/**
 * The answer of a component with `customResponse: true`; a `Response` is one too. Bytes are sent unchanged, `Blob`,
 * `URLSearchParams` and `FormData` as `fetch` sends them, a stream when it has been read to its end, other objects as JSON.
 */
export interface HttpResponse {
  /** 200 to 599. */
  status: number | `${number}`;
  /** A common mistake. */
  statusCode?: Mistake<"an answer has status, not statusCode">;
  headers?: AnswerHeaders | undefined;
  body?: string | number | boolean | object | null | undefined;
}

/** `$.interface.http` with `customResponse: true`. */
export interface AnsweringHttpInterface {
  /** The URL whose requests run this component. */
  readonly endpoint: string;
  /**
   * Sends the answer at once, or when its stream has been read, which settles the promise; later calls are ignored. Only
   * allowed in a run that a request triggered.
   */
  respond(response: HttpResponse): Promise<void>;
}

/** `$.interface.http` without `customResponse`: every request is answered with 200 at once. */
export interface HttpInterface {
  /** The URL whose requests run this component. */
  readonly endpoint: string;
  /** Only with `customResponse: true`. */
  readonly respond: Mistake<"respond needs customResponse: true on its $.interface.http prop">;
}

/** The argument of `run` for a request. */
export interface HttpEvent {
  readonly method: string;
  /** Relative to the endpoint, with a leading slash. */
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The body as text, unparsed. */
  readonly bodyRaw: string;
  /** The parsed body: the value of JSON, else the text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the sender decides
  readonly body: any;
  readonly url: string;
  readonly client_ip: string;
}
