import { errorCatalogue, manualClock } from "@x/runtime";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";

import { createSessions } from "../inspector/sessions.ts";
import { createRoutes } from "../routes/table.ts";
import type { Route } from "../route.ts";
import { describeRoutes, templatePath } from "./document.ts";
import { findBreaches } from "./structure.cases.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly "application/json": { readonly schema: object; readonly example?: unknown } };
  };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly unknown[] }>> };
}

const noStream = (): ReadableStream<Uint8Array> => new ReadableStream();
const sessions = createSessions({
  runtime: { authenticate: () => Promise.resolve(undefined), user: () => Promise.reject(new Error("not asked")) },
  now: () => 0,
});
const routes = createRoutes({
  streams: { open: noStream, openExecutions: noStream, openLogs: noStream },
  clock: manualClock(0),
  inspector: { sessions },
});
const description = describeRoutes(routes) as unknown as Description;
const operationOf = (route: Route): Operation | undefined =>
  description.paths[templatePath(route.path)]?.[route.method.toLowerCase()];

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(description, "x");
const complaints = (pointer: string, value: unknown): unknown => {
  const validate = ajv.getSchema(`x#${pointer}`);
  if (!validate) throw new Error(`No schema at ${pointer}`);
  return validate(value) ? [] : validate.errors;
};
const pointerOf = (...names: string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

describe("the description", () => {
  it("keeps the structural rules of OpenAPI 3.1", () => {
    expect(findBreaches(JSON.parse(JSON.stringify(description)))).toEqual([]);
  });

  it("the check detects broken rules", () => {
    const broken = structuredClone(JSON.parse(JSON.stringify(description)) as Record<string, Record<string, unknown>>);
    Object.assign(broken["paths"] ?? {}, {
      "/broken/{id}": {
        get: {
          operationId: "readUser",
          tags: ["Nope"],
          parameters: [{ name: "other", in: "path" }],
          responses: { 99: {}, 200: { description: "", content: { json: { schema: { $ref: "#/nowhere" } } } } },
          surprise: true,
        },
      },
    });
    expect(findBreaches(broken).length).toBeGreaterThan(7);
  });

  it("3.13 has every route of the table and no other operation of its own", () => {
    const described = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => name !== "servers")
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const known = routes.map((route) => `${route.method} ${templatePath(route.path)}`);
    expect(known.length).toBeGreaterThan(20);
    expect(described.toSorted()).toEqual([...known, "GET /openapi.json", "GET /healthz"].toSorted());
  });

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    "says of %s what validates its requests",
    (_name, route) => {
      const operation = operationOf(route);
      const { path, query, header, body } = route.parameters;
      expect(operation?.requestBody !== undefined).toBe(body !== undefined);
      for (const [place, { schema }] of Object.entries({ path, query, header })) {
        const shown = (operation?.parameters ?? []).filter((parameter) => parameter.in === place);
        expect(shown.map(({ name }) => name.toLowerCase())).toEqual(
          Object.keys(schema.properties).map((name) => name.toLowerCase()),
        );
        expect(shown.filter(({ required }) => required).map(({ name }) => name)).toEqual(schema.required ?? []);
      }
      const { answer } = route;
      const responses = operation?.responses ?? {};
      expect(Object.keys(responses).filter((status) => status < "300")).toEqual([String(answer.status)]);
      expect(responses[answer.status]?.content?.[answer.mediaType ?? "application/json"]?.schema).toEqual(
        answer.schema,
      );
      for (const code of route.errors ?? [])
        expect(responses, code).toHaveProperty(String(errorCatalogue[code].status));
      expect(responses).toHaveProperty("401");
    },
  );

  const withBody = routes.flatMap((route) => {
    const { body, query } = route.parameters;
    return body ? [[`${route.method} ${route.path}`, { route, body, query }] as const] : [];
  });
  it.each(withBody)("shows the body of %s as it is validated, with an example", (_name, { route, body, query }) => {
    const shown = operationOf(route)?.requestBody?.content["application/json"];
    expect(shown?.schema).toMatchObject({ ...body.schema, properties: expect.any(Object) as object });
    // A body that only repeats the query needs no example of its own.
    const isNew = Object.keys(body.schema.properties).some((name) => !(name in query.schema.properties));
    expect(isNew && shown?.example === undefined).toBe(false);
    const problems: never[] = [];
    body.read(shown?.example ?? {}, problems);
    expect(problems).toEqual([]);
  });

  it("has schemas that compile, and examples that they accept", () => {
    let examples = 0;
    for (const [name, schema] of Object.entries(description.components.schemas)) {
      for (const example of schema.examples ?? []) {
        examples += 1;
        expect(complaints(pointerOf("components", "schemas", name), example), name).toEqual([]);
      }
    }
    expect(examples).toBeGreaterThan(8);
    for (const route of routes) {
      if (!route.answer.schema) continue;
      const type = route.answer.mediaType ?? "application/json";
      const method = route.method.toLowerCase();
      const pointer = pointerOf("paths", templatePath(route.path), method, "responses", String(route.answer.status));
      expect(complaints(`${pointer}${pointerOf("content", type, "schema")}`, 5), route.name).not.toEqual([]);
    }
  });

  it("omits the route of a manual clock without one", () => {
    const without = describeRoutes(
      createRoutes({ streams: { open: noStream, openExecutions: noStream, openLogs: noStream } }),
    );
    expect(Object.keys(without["paths"] as object)).not.toContain("/clock/advance");
    expect(description.paths).toHaveProperty("/clock/advance");
  });
});
