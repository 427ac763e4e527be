/** An answer with a status of its own; made by `reply`. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: { readonly [name: string]: string };

  constructor(status: number, body: unknown, headers: { readonly [name: string]: string }) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer of an upstream that is more than a 200 with a body. */
export const reply = (status: number, body?: unknown, headers: { readonly [name: string]: string } = {}): Reply =>
  new Reply(status, body, headers);

/** Statuses of answers that cannot have a body. */
const bodiless = new Set([204, 205, 304]);

/** Text and bytes go as they are, everything else as JSON; undefined is no body. */
function encode(body: unknown): { readonly body: string | Uint8Array<ArrayBuffer> | null; readonly type?: string } {
  if (body === undefined) return { body: null };
  if (typeof body === "string") return { body, type: "text/plain; charset=utf-8" };
  if (body instanceof Uint8Array) return { body: Uint8Array.from(body), type: "application/octet-stream" };
  return { body: JSON.stringify(body), type: "application/json" };
}

/** What a route gave, as the answer that the component gets. */
export function responseOf(given: unknown): Response {
  // A copy: the same route answers again.
  if (given instanceof Response) return given.clone();
  const { status, body, headers } = given instanceof Reply ? given : new Reply(200, given, {});
  const encoded = bodiless.has(status) ? { body: null } : encode(body);
  const response = new Response(encoded.body, { status, headers });
  const type = "type" in encoded ? encoded.type : undefined;
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  if (type !== undefined && !isNamed) response.headers.set("content-type", type);
  return response;
}
