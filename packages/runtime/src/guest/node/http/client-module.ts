import type { Agent } from "./agent.ts";
import type { ClientRequest } from "./client-request.ts";

type RequestType = new (...given: unknown[]) => ClientRequest;

/** Puts the module's own agent among the options, where the request looks for the protocol. */
function withDefaultAgent([first, ...rest]: readonly unknown[], agent: Agent): unknown[] {
  const isUrl = typeof first === "string" || first instanceof URL;
  if (!isUrl) return [{ ...(first as object), _defaultAgent: agent }, ...rest];
  const options = typeof rest[0] === "object" ? (rest.shift() as object | null) : undefined;
  return [first, { ...options, _defaultAgent: agent }, ...rest];
}

/** `request` and `get` of `http` or `https`. */
export function createClient(
  Request: RequestType,
  agent: Agent,
): Record<"request" | "get", (...given: unknown[]) => ClientRequest> {
  const request = (...given: unknown[]): ClientRequest => new Request(...withDefaultAgent(given, agent));
  const get = (...given: unknown[]): ClientRequest => {
    const sent = request(...given);
    sent.end();
    return sent;
  };
  return { request, get };
}
