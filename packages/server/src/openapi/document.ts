import { type ErrorCode, errorCatalogue, version } from "@x/runtime";

import type { Route } from "../route.ts";
import type { ParameterSchema, ParametersSchema, RequestPart } from "../schema.ts";
import { schemas, schemaRef } from "@x/resources";

type Json = Readonly<Record<string, unknown>>;

const tags: Readonly<Record<string, string>> = {
  User: "The account that an API key belongs to.",
  Components: "Code that sources are made from. Saved code never changes: new code is a new id.",
  Sources: "Components that are deployed, with their props.",
  Events: "What sources have emitted, their errors and their logs.",
  Executions: "Runs of sources and workflows, and their hooks: what they received, what they did, and how they ended.",
  Workflows: "What the embedding process or the command line has registered. There is no way to change them here.",
  Data: "The key-value db of a source, what it remembers of ids, and the data stores that sources share.",
  Subscriptions: "Which events of whom go to whom.",
  Webhooks: "URLs that receive events, signed, and tried again when that fails.",
  Accounts: "Credentials that components read as `$auth`, and how they are connected.",
  Apps: "One URL for each service, verified, and its events for every source that listens.",
  Projects: "What each `x apply` keeps as its file describes it.",
  Service: "The service itself.",
};

const introduction = [
  "Deploy components as event sources, run them, and read what they emit.",
  "",
  "Every path needs `Authorization: Bearer <API key>`, unless it says otherwise. Success is 2xx, the caller's fault 4xx,",
  "the service's 5xx. Unknown members of a body are refused, unknown query parameters are ignored.",
  "With `include` and `exclude` a resource has fewer fields than its schema requires.",
].join("\n");

const sentence = (description: string): string =>
  `${description.charAt(0).toUpperCase()}${description.slice(1)}${/[.…)"]$/.test(description) ? "" : "."}`;

/** Without `description` and `shownAs`: OpenAPI has the description beside the schema. */
function showSchema(schema: ParameterSchema): Json {
  const members = Object.entries(schema).filter(([name]) => name !== "description" && name !== "shownAs");
  return schema.shownAs ?? Object.fromEntries(members);
}

function showParameters(part: Exclude<RequestPart, "body">, { properties, required = [] }: ParametersSchema): Json[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name: part === "header" ? name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace(/Id$/, "ID") : name,
    in: part,
    required: required.includes(name),
    description: sentence(schema.description),
    schema: showSchema(schema),
  }));
}

function showBody(route: Route): Json | undefined {
  const body = route.parameters.body?.schema;
  if (!body) return undefined;
  const { properties, required = [] } = body;
  const members = Object.entries(properties).map(([name, schema]): [string, Json] => [
    name,
    { ...showSchema(schema), description: sentence(schema.description) },
  ]);
  const schema = { ...body, properties: Object.fromEntries(members) };
  const example = route.bodyExample === undefined ? {} : { example: route.bodyExample };
  return { required: required.length > 0, content: { "application/json": { schema, ...example } } };
}

/** The error codes of a route: those of its parameters and callers, and those that it lists. */
function errorsOf(route: Route, hasSessions: boolean): ErrorCode[] {
  const { path, body } = route.parameters;
  const codes: ErrorCode[] = ["invalid_parameter", "unauthorized", "rate_limited", "internal", "closed"];
  if (Object.keys(path.schema.properties).length > 0 || route.firstUserOnly) codes.push("not_found");
  // Pages of other sites cannot use a session.
  if (hasSessions) codes.push("foreign_request");
  if (body)
    codes.push(
      "missing_parameter",
      "invalid_json",
      "unsupported_media_type",
      "payload_too_large",
      "body_fragmented",
      "malformed_request",
    );
  return [...new Set([...codes, ...(route.errors ?? [])])];
}

function showResponses(route: Route, hasSessions: boolean): Json {
  const { status, description, schema, mediaType = "application/json" } = route.answer;
  const responses: Record<string, Json> = {
    [status]: { description, ...(schema && { content: { [mediaType]: { schema } } }) },
  };
  for (const [code, names] of Map.groupBy(errorsOf(route, hasSessions), (code) => errorCatalogue[code].status)) {
    responses[code] = {
      description: names.map((name) => `\`${name}\``).join(", "),
      ...(code === 429 && { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } }),
      content: { "application/json": { schema: schemaRef("Error") } },
    };
  }
  return responses;
}

function showOperation(route: Route, hasSessions: boolean): Json {
  const { path, query, header } = route.parameters;
  const body = showBody(route);
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    parameters: [
      ...showParameters("path", path.schema),
      ...showParameters("query", query.schema),
      ...showParameters("header", header.schema),
    ],
    ...(body && { requestBody: body }),
    ...(route.open && { security: [] }),
    responses: showResponses(route, hasSessions),
  };
}

/** Paths that need no key and have no parameters. */
const openPaths = (mountPath: string): { readonly [path: string]: Json } => ({
  "/openapi.json": {
    get: {
      operationId: "readDescription",
      tags: ["Service"],
      summary: "Read this description",
      security: [],
      responses: {
        200: { description: "This document.", content: { "application/json": { schema: { type: "object" } } } },
      },
    },
  },
  "/healthz": {
    servers: [{ url: mountPath || "/" }],
    get: {
      operationId: "checkHealth",
      tags: ["Service"],
      summary: "Check whether the service accepts requests",
      security: [],
      responses: {
        200: {
          description: "It does.",
          content: {
            "application/json": { schema: { type: "object", properties: { ok: { const: true } }, required: ["ok"] } },
          },
        },
        503: {
          description: "`closed`: the service is stopping.",
          content: { "application/json": { schema: schemaRef("Error") } },
        },
      },
    },
  },
});

/** The path of a route in the syntax of OpenAPI. */
export const templatePath = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** The OpenAPI 3.1 description of these routes, in a service that is mounted at this path. */
export function describeRoutes(routes: readonly Route[], mountPath = ""): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  const hasSessions = routes.some(({ path }) => path === "/sessions");
  for (const route of routes) {
    const path = templatePath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: showOperation(route, hasSessions) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "x",
      version,
      summary: "Event sources over REST",
      description: introduction,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${mountPath}/v1` }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...openPaths(mountPath) },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "The API key of an account." },
      },
      headers: {
        RetryAfter: { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
      },
      schemas,
    },
  };
}
