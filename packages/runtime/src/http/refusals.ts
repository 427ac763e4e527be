import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { XError } from "@x/model";
import { statusAnswer } from "./answer.ts";

/** Four times what the server of this project receives: embedders have servers of their own. */
const maxHeadChars = 64 * 1024;

const headChars = ({ search, headers }: EndpointRequest): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, search.length);

/** The response to a request whose head is too long; undefined for others. */
export const refuseLongHead = (request: EndpointRequest): EndpointResponse | undefined =>
  headChars(request) > maxHeadChars ? statusAnswer(431) : undefined;

/** The response to a request whose body is too long; undefined for others. */
export const refuseLongBody = ({ body }: EndpointRequest, bodyBytes: number): EndpointResponse | undefined =>
  body.byteLength > bodyBytes ? statusAnswer(413) : undefined;

/** The response to a request that the inbox refused; undefined for other errors. */
function refusal({ code }: XError): EndpointResponse | undefined {
  if (code === "queue_full") return statusAnswer(429, { retryAfterSeconds: 1 });
  if (code === "closed" || code === "store_unavailable") return statusAnswer(503, { retryAfterSeconds: 1 });
  return code === "not_found" || code === "inactive" ? statusAnswer(404) : undefined;
}

/** The response to a request that failed with this error. Throws errors that are not the inbox's. */
export function refusedAnswer(error: unknown): EndpointResponse {
  const refused = XError.is(error) ? refusal(error) : undefined;
  if (refused) return refused;
  throw error;
}
