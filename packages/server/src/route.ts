import { type Json, type Runtime, type User, XError } from "@x/runtime";

import { type Answer, jsonAnswer } from "./answer.ts";
import { type FieldSelection, selectFields } from "./fields.ts";
import { defineParameters, type Parameters, type ParameterSchema, type RequestProblem } from "./schema.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Names of the parameters in a path template. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : unknown;

/** What a handler is given; everything in it is validated. */
interface Call<Params, Query, Body> {
  readonly runtime: Runtime;
  readonly userId: string;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** An answer whose data is one resource, with include and exclude applied. */
  readonly resource: (status: number, resource: object) => Answer;
  /** Applies include and exclude to a resource. */
  readonly select: (resource: object) => object;
}

export interface RouteDefinition<Path extends string, Query, Body> {
  readonly method: Method;
  /** Relative to the base URL, `:name` for parameters. */
  readonly path: Path;
  readonly summary: string;
  readonly query?: Readonly<Record<string, ParameterSchema>>;
  /** Members of the JSON body; absent: the route reads no body. */
  readonly body?: Readonly<Record<string, ParameterSchema>>;
  handle(call: Call<ParamsOf<Path>, Query, Body>): Promise<Answer>;
}

/** A request that has passed every check before validation. */
interface RawCall {
  readonly runtime: Runtime;
  readonly user: User;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly body: Json | undefined;
}

/** One row of the route table. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly parameters: {
    readonly path: Parameters<unknown>;
    readonly query: Parameters<unknown>;
    readonly body: Parameters<unknown> | undefined;
  };
  handle(call: RawCall): Promise<Answer>;
}

const fieldParameters = {
  include: { type: "string", maxLength: 4_000, description: "a comma-separated list of field names" },
  exclude: { type: "string", maxLength: 4_000, description: "a comma-separated list of field names" },
} as const satisfies Readonly<Record<string, ParameterSchema>>;

function readQuery(search: URLSearchParams, known: Parameters<unknown>, problems: RequestProblem[]): object {
  const query: [string, string][] = [];
  for (const name of Object.keys(known.schema.properties)) {
    const values = search.getAll(name);
    if (values.length > 1) {
      const expected = "given once";
      const problem = { path: `/${name}`, message: `must be ${expected}`, parameter: name, expected };
      problems.push({ in: "query", ...problem, received: `${values.length} values` });
    } else if (values[0] !== undefined) query.push([name, values[0]]);
  }
  return Object.fromEntries(query);
}

function refuse(problems: readonly RequestProblem[]): never {
  const [first] = problems;
  const errors = problems.map(({ in: place, path, message }) => ({ in: place, path, message }));
  const { parameter = "request", expected = "valid", received } = first ?? {};
  if (received === undefined) {
    throw new XError("missing_parameter", [parameter, expected], { details: { parameter, errors } });
  }
  throw new XError("invalid_parameter", [parameter, expected, received], { details: { parameter, received, errors } });
}

function pathParameters(path: string): Readonly<Record<string, ParameterSchema>> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const schema: ParameterSchema = {
    type: "string",
    minLength: 1,
    maxLength: 256,
    description: "at most 256 characters long",
  };
  return Object.fromEntries(names.map((name) => [name, schema]));
}

/** Makes a row of the route table. Query and Body must say what the schemas say. */
export function defineRoute<const Path extends string, Query = object, Body = object>(
  definition: RouteDefinition<Path, Query, Body>,
): Route {
  const names = pathParameters(definition.path);
  const path = defineParameters<ParamsOf<Path>>("path", names, Object.keys(names));
  const query = defineParameters<Query & FieldSelection>("query", { ...definition.query, ...fieldParameters });
  const body = definition.body
    ? defineParameters<Body & FieldSelection>("body", { ...definition.body, ...fieldParameters })
    : undefined;
  const nothing = defineParameters<Body & FieldSelection>("body", fieldParameters);
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    parameters: { path, query, body },
    async handle({ runtime, user, params, search, body: given }) {
      const problems: RequestProblem[] = [];
      const checkedParams = path.read(params, problems);
      const checkedQuery = query.read(readQuery(search, query, problems), problems);
      const checkedBody = (body ?? nothing).read((body && given) ?? {}, problems);
      if (!checkedParams || !checkedQuery || !checkedBody || problems.length > 0) refuse(problems);
      const include = checkedBody.include ?? checkedQuery.include;
      const exclude = checkedBody.exclude ?? checkedQuery.exclude;
      const selection: FieldSelection = { ...(include && { include }), ...(exclude && { exclude }) };
      const select = (resource: object): object => selectFields(resource, selection);
      return definition.handle({
        runtime,
        userId: user.id,
        params: checkedParams,
        query: checkedQuery,
        body: checkedBody,
        select,
        resource: (status, resource) => jsonAnswer(status, { data: select(resource) }),
      });
    },
  };
}
