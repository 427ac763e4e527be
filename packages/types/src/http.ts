import type { Mistake } from "./mistake.ts";

/** The answer of a component with `customResponse: true`. An object body is sent as JSON, bytes unchanged. */
export interface HttpResponse {
  /** 200 to 599. */
  status: number | `${number}`;
  /** A common mistake. */
  statusCode?: Mistake<"an answer has status, not statusCode">;
  headers?: { readonly [name: string]: string | number | boolean | readonly string[] | null | undefined } | undefined;
  body?: string | number | boolean | object | null | undefined;
}

/** `$.interface.http` with `customResponse: true`. */
export interface AnsweringHttpInterface {
  /** The URL whose requests run this component. */
  readonly endpoint: string;
  /** Sends the answer at once; later calls are ignored. Only allowed in a run that a request triggered. */
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
