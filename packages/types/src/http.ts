import type { Mistake } from "./mistake.ts";

/** The answer of a component with `customResponse: true`. An object becomes JSON, bytes stay as they are. */
export interface HttpResponse {
  /** 200 to 599; 100 to 199 only announce an answer, and are refused. */
  status: number | `${number}`;
  /** A common slip. */
  statusCode?: Mistake<"an answer has status, not statusCode">;
  headers?: { readonly [name: string]: string | number | boolean | readonly string[] | null | undefined } | undefined;
  body?: string | number | boolean | object | null | undefined;
}

/** `$.interface.http` with `customResponse: true`. */
export interface AnsweringHttpInterface {
  /** The URL that runs this component. */
  readonly endpoint: string;
  /** Sends the answer at once; later calls are ignored. Only in a run that a request started. */
  respond(response: HttpResponse): Promise<void>;
}

/** `$.interface.http`: every request is answered 200 at once. */
export interface HttpInterface {
  /** The URL that runs this component. */
  readonly endpoint: string;
  /** Not without `customResponse: true`. */
  readonly respond: Mistake<"respond needs customResponse: true on its $.interface.http prop">;
}

/** What `run` gets from an HTTP interface. */
export interface HttpEvent {
  readonly method: string;
  /** Relative to the endpoint, begins with a slash. */
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The body as it came, when it is text. */
  readonly bodyRaw: string;
  /** The parsed body: JSON becomes its value, other text stays text. Whoever sent it decided what it is. */
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the sender sent
  readonly body: any;
  readonly url: string;
  readonly client_ip: string;
}
