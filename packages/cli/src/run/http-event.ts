import type { ComponentShape, Json } from "@x/runtime";

type JsonObject = { [key: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Adds the missing fields of an HTTP event. */
function completeEvent(parts: JsonObject): JsonObject {
  const body = parts["body"] ?? null;
  const isText = typeof body === "string";
  return {
    method: "GET",
    path: "/",
    query: {},
    bodyRaw: body === null ? "" : isText ? body : JSON.stringify(body),
    url: "http://127.0.0.1/",
    client_ip: "127.0.0.1",
    ...parts,
    headers: {
      ...(body === null || isText ? {} : { "content-type": "application/json" }),
      ...objectOf(parts["headers"]),
    },
    body,
  };
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/**
 * The input of a run. An event with a `method` is a request to the component's HTTP interface; without an event, a
 * component with only that interface gets a GET request.
 */
export function startOf(shape: ComponentShape, event: Json | undefined): { event?: Json; httpProp?: string } {
  const httpProp = shape.props.find(({ type }) => type === "$.interface.http")?.name;
  const hasTimer = shape.props.some(({ type }) => type === "$.interface.timer");
  const request = event === undefined && !hasTimer ? {} : event;
  const isRequest = isObject(request) && (event === undefined || typeof request["method"] === "string");
  if (httpProp !== undefined && isRequest) return { event: completeEvent(request), httpProp };
  return event === undefined ? {} : { event };
}
