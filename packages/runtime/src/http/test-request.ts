import type { ComponentShape, Json } from "@x/model";

import { httpEvent } from "./request-event.ts";

type JsonObject = { readonly [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const requestMembers = new Set([
  "method",
  "path",
  "query",
  "headers",
  "body",
  "bodyRaw",
  "body_b64",
  "url",
  "client_ip",
]);

/** A request, or a part of one: it has a method, or members of requests alone. */
function isRequest(event: JsonObject, isOnly: boolean): boolean {
  const names = Object.keys(event);
  if (Object.hasOwn(event, "method")) return typeof event["method"] === "string";
  return isOnly && names.length > 0 && names.every((name) => requestMembers.has(name));
}

const textOf = (body: Json): string => (typeof body === "string" ? body : JSON.stringify(body));

/** The event of a request of which this part is given. What is missing is as if somebody had sent the body to the endpoint. */
export function completeRequest(given: JsonObject, endpointUrl: string): JsonObject {
  const { body, bodyRaw, headers, query, path = "/" } = given;
  const sent = typeof bodyRaw === "string" ? bodyRaw : body === undefined || body === null ? "" : textOf(body);
  const type = isObject(headers) ? headers["content-type"] : undefined;
  const isJson = sent !== "" && typeof body !== "string";
  const search = isObject(query)
    ? Object.entries(query).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, textOf(one)]),
      )
    : [];
  const target = `${endpointUrl}${path === "/" || typeof path !== "string" ? "" : path}`;
  const { event } = httpEvent({
    method: sent === "" ? "GET" : "POST",
    path: "/",
    search: "",
    headers: typeof type === "string" ? [["content-type", type]] : isJson ? [["content-type", "application/json"]] : [],
    url: search.length > 0 ? `${target}?${new URLSearchParams(search).toString()}` : target,
    body: Buffer.from(sent),
    clientIp: "127.0.0.1",
  });
  return {
    ...event,
    ...given,
    headers: { ...(event["headers"] as JsonObject), ...(isObject(headers) ? headers : {}) },
  };
}

export interface TestRequest {
  readonly event: JsonObject;
  readonly httpProp: string;
}

/**
 * The request that runs a source by hand (S53); undefined when the event is none. Without an event, a source with an HTTP
 * interface and no timer gets a POST of the component's `sampleEmit`, else of `{}`.
 */
export function testRequest(
  { props, sampleEmit }: Pick<ComponentShape, "props" | "sampleEmit">,
  event: Json | undefined,
  endpointUrl: (prop: string) => string,
): TestRequest | undefined {
  const httpProp = props.find(({ type }) => type === "$.interface.http")?.name;
  const hasTimer = props.some(({ type }) => type === "$.interface.timer");
  if (httpProp === undefined || (event === undefined && hasTimer)) return undefined;
  const given = event === undefined ? { body: sampleEmit ?? {} } : event;
  if (!isObject(given) || !isRequest(given, !hasTimer)) return undefined;
  return { event: completeRequest(given, endpointUrl(httpProp)), httpProp };
}
