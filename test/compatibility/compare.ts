import type { CallRecord, Scenario, UpstreamRequest } from "./scenario.ts";

/** Boundaries are random. */
function withoutBoundary(request: UpstreamRequest): { type: string; body: string } {
  const type = request.headers["content-type"] ?? "";
  const body = request.body.toString("latin1");
  // A form that is sent without its type still begins with it.
  const [, boundary] = /boundary="?([^";]+)"?/.exec(type) ?? /^--(-{20,}\w+)\r\n/.exec(body) ?? [];
  if (boundary === undefined) return { type, body };
  return { type: type.replace(boundary, "BOUNDARY"), body: body.replaceAll(boundary, "BOUNDARY") };
}

/** The parts of a request that must be equal. */
export function shownRequest(request: UpstreamRequest, { headers = [], masks = [] }: Scenario): object {
  const { type, body } = withoutBoundary(request);
  const masked = (text = ""): string => masks.reduce((left, mask) => left.replace(mask, "MASKED"), text);
  const chosen = ["authorization", ...headers].map((name) => [name, masked(request.headers[name])]);
  return { method: request.method, url: request.url, type, ...Object.fromEntries(chosen), body };
}

/** The runtime names the type of a body that is not text; the component did not. */
const isNamed = ([name, value]: [string, unknown]): boolean => name === "content-type" && value === "application/json";

function shownResponse(response: CallRecord["response"]): object | null {
  if (response === null || typeof response !== "object" || Array.isArray(response)) return null;
  const { status, headers, body } = response;
  return {
    status: Number(status ?? 200),
    headers: Object.fromEntries(Object.entries(headers ?? {}).filter((header) => !isNamed(header))),
    body: typeof body === "string" || body === undefined ? (body ?? "") : JSON.stringify(body),
  };
}

/** The parts of a call that must be equal. */
export const shownCall = ({ response, ...call }: CallRecord): object => ({
  ...call,
  response: shownResponse(response),
});
