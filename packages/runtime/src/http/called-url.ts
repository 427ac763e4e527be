import type { EndpointRequest } from "../api/api.ts";

/** Path and query below an endpoint, as they were sent; undefined when the endpoint was called by its host name. */
function belowEndpoint({ target, url }: Pick<EndpointRequest, "target" | "url">, key: string): string | undefined {
  const sent = target ?? url;
  const [path = ""] = sent.split("?", 1);
  const endpoint = `/in/${key}`;
  const begin = path.indexOf(endpoint);
  const end = begin + endpoint.length;
  return begin >= 0 && (end === path.length || path[end] === "/") ? sent.slice(end) : undefined;
}

/** The URL of an endpoint with the path and the query that were asked for, whatever host the request names. */
export function registeredUrl(
  endpointUrl: (key: string) => string,
  request: Pick<EndpointRequest, "target" | "url" | "path" | "search">,
  key: string,
): string {
  const { path, search } = request;
  const below = belowEndpoint(request, key) ?? (path === "/" ? "" : path) + (search === "" ? "" : `?${search}`);
  return endpointUrl(key) + below;
}

/**
 * Makes the function that returns the URL that a sender called, under the public URL: proxies change its scheme, host and
 * prefix, and senders sign it as they called it.
 */
export const calledUrl =
  (endpointUrl: (key: string) => string) =>
  (request: EndpointRequest, key: string): string => {
    const below = belowEndpoint(request, key);
    return below === undefined ? request.url : endpointUrl(key) + below;
  };
