import {
  array,
  type Arbitrary,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  oneof,
  option,
  record,
  string,
  stringMatching,
  tuple,
} from "fast-check";

import type { Description, Operation, Parameter } from "../conformance/described.ts";
import { jsonValue, oddNumber, oddText } from "./odd-values.ts";
import { codes, propNames } from "./rest-samples.ts";

/** Stands for the n-th text of that kind in the answers so far. */
export interface Known {
  readonly $known: Kind;
  readonly n: number;
}

export const kinds = {
  source: /^dc_/,
  workflow: /^p_/,
  webhook: /^wh_/,
  account: /^apn_/,
  component: /^sc_/,
  dynamic: /^dyp_/,
  user: /^u_|^local$/,
  execution: /^[0-9A-Za-z]{27}$/,
  event: /^\d+-\d+$/,
  any: /^/,
} as const;
export type Kind = keyof typeof kinds;

/** A request below /v1. */
export interface Step {
  /** Such as `GET /sources/{id}`. */
  readonly operation: string;
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: readonly (readonly [name: string, value: unknown])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly lastEventId?: unknown;
  /** `json`: with known texts filled in; `text`: as it is. */
  readonly body?: { readonly json: unknown } | { readonly text: string };
}

type Schema = Readonly<Record<string, unknown>>;

const known = (...names: readonly Kind[]): Arbitrary<Known> =>
  tuple(constantFrom(...names), integer({ min: 0, max: 5 })).map(([$known, n]) => ({ $known, n }));

const idKinds: readonly (readonly [RegExp, Kind])[] = [
  [/^\S+ \/sources/, "source"],
  [/^\S+ \/workflows/, "workflow"],
  [/^\S+ \/webhooks/, "webhook"],
  [/^\S+ \/accounts/, "account"],
  [/^\S+ \/executions/, "execution"],
  [/^\S+ \/users/, "user"],
];

const urls = constantFrom(
  "https://hook.invalid/",
  "http://127.0.0.1:1/x",
  "http://[::1]:1/",
  "https://user:pw@hook.invalid/?a=b#c",
  "ftp://hook.invalid/",
  "javascript:alert(1)",
  "https://",
  "//hook.invalid",
  "http://127.0.0.1:1/callback?code=c&state=s",
);

const propValue = oneof(
  jsonValue,
  constantFrom<unknown>(
    { intervalSeconds: 60 },
    { cron: "0 9 * * 1-5", timezone: "Europe/Berlin" },
    { cron: "* * * * *", intervalSeconds: 5 },
    { authProvisionId: "apn_none" },
    ["a", "b"],
    "a",
    5,
  ),
  known("account").map((authProvisionId) => ({ authProvisionId })),
);
const props = dictionary(
  oneof({ weight: 5, arbitrary: constantFrom(...propNames) }, { weight: 1, arbitrary: oddText }),
  propValue,
  {
    maxKeys: 4,
    noNullPrototype: true,
  },
);

const texts = oneof(constantFrom("read", "state", "name", "id"), oddText);

/** What fits a member or parameter by its name, where its schema says little. */
const byName: { readonly [name: string]: Arbitrary<unknown> } = {
  component_code: constantFrom(...codes),
  component_id: known("component"),
  component_files: oneof(
    constantFrom<unknown>(
      { "main.js": codes[7] ?? "", "other.js": "export const other = () => 1" },
      { "a/main.js": codes[0] ?? "", "a/package.json": '{"dependencies":{"left":"1"}}' },
      { "../main.js": codes[0] ?? "" },
    ),
    dictionary(oddText, oddText, { maxKeys: 3, noNullPrototype: true }),
  ),
  component_entry: constantFrom("main.js", "a/main.js", "../main.js", "other.js"),
  component_url: urls,
  webhook_url: urls,
  redirect_uri: urls,
  url: urls,
  key: oneof(constantFrom("plain", "all", "adding", "n", "none"), oddText, known("component")),
  id: oneof(known("component"), constantFrom("all", "adding")),
  configured_props: props,
  accounts: oneof(
    known("account").map((acme) => ({ acme })),
    dictionary(oddText, oddText, { maxKeys: 2, noNullPrototype: true }),
  ),
  dynamic_props_id: known("dynamic"),
  prop_name: oneof(constantFrom(...propNames), oddText),
  emitter_id: oneof(known("source", "workflow"), constantFrom("dc_*", "p_*")),
  listener_id: known("source", "workflow", "webhook"),
  account_id: known("account"),
  source_id: known("source", "workflow"),
  event_name: oneof(constantFrom("", "default", "$errors", "$logs", "side"), oddText),
  name: oneof(constantFrom("shop", "Archive", "All"), oddText),
  app: oneof(constantFrom("acme", "keyed", "github"), oddText),
  auth: dictionary(oddText, jsonValue, { maxKeys: 3, noNullPrototype: true }),
  oauth: oneof(
    jsonValue,
    record(
      {
        client_id: texts,
        client_secret: texts,
        service: constantFrom("github", "none"),
        issuer: urls,
        token_url: urls,
        scopes: array(texts, { maxLength: 3 }),
      },
      { requiredKeys: ["client_id"] },
    ),
  ),
  fields: oneof(jsonValue, array(record({ name: texts, label: texts }, { requiredKeys: ["name"] }), { maxLength: 3 })),
  resources: oneof(
    jsonValue,
    array(
      record({
        kind: constantFrom("account", "webhook", "source", "subscription"),
        name: oddText,
        id: oneof(constant(null), known("any")),
        made: boolean(),
        fingerprint: oneof(constant(null), oddText),
      }),
      { maxLength: 3 },
    ),
  ),
  ids: array(known("source"), { minLength: 1, maxLength: 1 }).map(([first]) => first),
  include: oneof(constantFrom("id", "name,id", "data", "none", "id,,id", ","), oddText),
  exclude: oneof(constantFrom("id", "configured_props", "state,id"), oddText),
  q: constantFrom("=1", "/event=1", "/a/b=x", "/=", "/~2=1"),
  start_id: known("event"),
  end_id: known("event"),
  since_id: known("event"),
  ms: constantFrom(0, 1, 60_000, 3_600_000, 1.5, -1),
  username: oneof(constantFrom("local", "other"), oddText),
};

/** A text in a schema's bounds. */
function textOf({ pattern, enum: choices, minLength, maxLength }: Schema): Arbitrary<unknown> {
  if (Array.isArray(choices)) return constantFrom<unknown>(...(choices as unknown[]));
  if (typeof pattern === "string") return stringMatching(new RegExp(pattern));
  return string({ minLength: Number(minLength ?? 0), maxLength: Math.min(40, Number(maxLength ?? 40)) });
}

function fitting(schema: Schema): Arbitrary<unknown> {
  switch (schema["type"]) {
    case "string":
      return textOf(schema);
    case "integer":
    case "number":
      return integer({
        min: Number(schema["minimum"] ?? -1_000),
        max: Math.min(Number(schema["maximum"] ?? 1_000), 2 ** 53 - 1),
      });
    case "boolean":
      return boolean();
    default:
      return jsonValue;
  }
}

function valueOf(operation: string, part: string, name: string, schema: Schema): Arbitrary<unknown> {
  const kind = idKinds.find(([path]) => path.test(operation))?.[1];
  const named =
    part === "path" && name === "id" && kind
      ? known(kind)
      : name === "after" || name === "before"
        ? known(schema["pattern"]?.toString().includes("27") ? "execution" : "event", "any")
        : byName[name];
  return oneof(
    { weight: named ? 8 : 0, arbitrary: named ?? constant(null) },
    { weight: named ? 2 : 8, arbitrary: fitting(schema) },
    { weight: 1, arbitrary: part === "body" ? jsonValue : oneof(oddText, oddNumber.map(String), known("any")) },
  );
}

function bodyOf(operation: string, { requestBody }: Operation): Arbitrary<Step["body"]> {
  const described = requestBody?.content["application/json"];
  if (!described) return constant(undefined);
  const { schema, example } = described;
  const members = Object.entries(Object(schema["properties"]) as Record<string, Schema>);
  const required = new Set((schema["required"] as string[] | undefined) ?? []);
  const chosen = members.map(([name, member]) => {
    const value = valueOf(operation, "body", name, member).map((given): [string, unknown] => [name, given]);
    return option(value, { nil: undefined, freq: required.has(name) ? 20 : 1 });
  });
  const object = tuple(...chosen).map((given) => ({
    json: Object.fromEntries(given.filter((each) => each !== undefined)) as unknown,
  }));
  const extra = tuple(object, oddText, jsonValue).map(([{ json }, name, value]) => ({
    json: Object.fromEntries([...Object.entries(Object(json) as object), [name, value]]) as unknown,
  }));
  return oneof(
    { weight: 20, arbitrary: object },
    { weight: 2, arbitrary: extra },
    { weight: example === undefined ? 0 : 2, arbitrary: constant({ json: example }) },
    { weight: 1, arbitrary: jsonValue.map((json) => ({ json: json as unknown })) },
    { weight: 1, arbitrary: constant(undefined) },
    {
      weight: 1,
      arbitrary: oneof(
        constantFrom(
          "",
          "{",
          "[",
          "{}{}",
          '{"a":1,"a":2}',
          '{"__proto__":{"x":1}}',
          "\ufeff{}",
          "nul",
          '"\\ud800"',
          "1e999",
          "[".repeat(20_000),
        ),
        string({ unit: "binary" }),
      ).map((text) => ({ text })),
    },
  );
}

function queryOf(operation: string, parameters: readonly Parameter[]): Arbitrary<Step["query"]> {
  const chosen = parameters.map(({ name, schema }) =>
    option(
      valueOf(operation, "query", name, schema).map((value): [string, unknown] => [name, value]),
      { nil: undefined, freq: 1 },
    ),
  );
  const extra = option(tuple(oneof(oddText, constantFrom("limit", "include", "after")), oddText), {
    nil: undefined,
    freq: 10,
  });
  return tuple(tuple(...chosen), extra).map(([given, more]) => [...given, more].filter((each) => each !== undefined));
}

const headers: Arbitrary<Step["headers"]> = oneof(
  { weight: 12, arbitrary: constant({}) },
  {
    weight: 1,
    arbitrary: constantFrom<Step["headers"]>(
      { "content-type": "text/plain" },
      { "content-type": "application/json; charset=latin1" },
      { "content-type": "application/problem+json" },
      { authorization: "Bearer wrong" },
      { authorization: "Basic eDp5" },
      { authorization: "" },
      { accept: "text/html" },
      { "content-encoding": "gzip" },
      { "if-none-match": "*" },
      { range: "bytes=0-1" },
      { traceparent: "00-zz" },
    ),
  },
);

function stepOf(operation: string, described: Operation): Arbitrary<Step> {
  const of = (part: Parameter["in"]): Parameter[] => (described.parameters ?? []).filter((each) => each.in === part);
  const [resumed] = of("header");
  return record({
    operation: constant(operation),
    path: record(
      Object.fromEntries(of("path").map(({ name, schema }) => [name, valueOf(operation, "path", name, schema)])),
      {
        noNullPrototype: true,
      },
    ),
    query: queryOf(operation, of("query")),
    headers,
    ...(resumed && { lastEventId: option(valueOf(operation, "header", "after", resumed.schema), { nil: undefined }) }),
    body: bodyOf(operation, described),
  }) as Arbitrary<Step>;
}

/** Sequences of requests, valid and not, to what the description has. */
export function stepsOf({ paths }: Description): Arbitrary<readonly Step[]> {
  const steps = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "servers" && path !== "/healthz")
      .map(([method, described]) => stepOf(`${method.toUpperCase()} ${path}`, described)),
  );
  return array(oneof(...steps), { minLength: 1, maxLength: 12, size: "max" });
}
