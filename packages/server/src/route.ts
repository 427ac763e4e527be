import { type ErrorCode, type Json, type Runtime, type User, type UserRuntime } from "@x/runtime";

import { type Answer, jsonAnswer } from "./answer.ts";
import type { Hold } from "./budget/byte-budget.ts";
import { type FieldSelection, selectFields } from "./fields.ts";
import { pathParameters, readHeaders, readQuery, refuse } from "./request-parameters.ts";
import { defineParameters, type Parameters, type ParameterSchema, type RequestProblem } from "./schema.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Names of the parameters in a path template. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : unknown;

/** What a handler is given; everything in it is validated. */
interface Call<Params, Query, Body, HeaderValues> {
  /** Acts for the user whose key the request came with. */
  readonly runtime: UserRuntime;
  /** What no user owns, and the management of users. */
  readonly service: Runtime;
  /** The key that the request came with. */
  readonly apiKey: string;
  readonly params: Params;
  readonly query: Query;
  readonly headers: HeaderValues;
  readonly body: Body;
  /** An answer whose data is one resource, with include and exclude applied. */
  readonly resource: (status: number, resource: object) => Answer;
  /** Applies include and exclude to a resource. */
  readonly select: (resource: object) => object;
  /** What the answer will keep; its bytes count before they are read. */
  readonly hold: Hold;
}

/** A JSON Schema (2020-12), as the description of the interface shows it. */
export type Schema = Readonly<Record<string, unknown>>;

/** What a route answers when all went well. */
export interface RouteAnswer {
  readonly status: 200 | 202 | 204;
  readonly description: string;
  /** Absent: there is no body. */
  readonly schema?: Schema;
  /** Default application/json. */
  readonly mediaType?: string;
}

/** What the description of the interface says about a route. */
export interface RouteDescription {
  /** Unique among all routes; clients are generated with it. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  /** More than the summary says, in Markdown. */
  readonly description?: string;
  readonly answer: RouteAnswer;
  /** For everybody but the first user there is no such path. */
  readonly firstUserOnly?: true;
  /** Errors beside those that follow from the parameters. */
  readonly errors?: readonly ErrorCode[];
  /** An example of the body, accepted as it is. */
  readonly bodyExample?: Json;
}

export interface RouteDefinition<Path extends string, Query, Body, HeaderValues> extends RouteDescription {
  readonly method: Method;
  /** Relative to the base URL, `:name` for parameters. */
  readonly path: Path;
  /** Parameters of the path that are not simply ids. */
  readonly params?: Readonly<Record<string, ParameterSchema>>;
  readonly query?: Readonly<Record<string, ParameterSchema>>;
  /** Request headers that mean something here, by lower-case name. */
  readonly headers?: Readonly<Record<string, ParameterSchema>>;
  /** Members of the JSON body; absent: the route reads no body. */
  readonly body?: Readonly<Record<string, ParameterSchema>>;
  /** Members that the body must have; those that depend on each other are the handler's. */
  readonly required?: readonly string[];
  handle(call: Call<ParamsOf<Path>, Query, Body, HeaderValues>): Promise<Answer>;
}

/** A request that has passed every check before validation. */
interface RawCall {
  readonly runtime: Runtime;
  readonly user: User;
  readonly params: Readonly<Record<string, string>>;
  readonly search: URLSearchParams;
  readonly headers: Headers;
  readonly body: Json | undefined;
  readonly hold: Hold;
}

/** One row of the route table. */
export interface Route extends RouteDescription {
  readonly method: Method;
  readonly path: string;
  readonly parameters: {
    readonly path: Parameters<unknown>;
    readonly query: Parameters<unknown>;
    readonly header: Parameters<unknown>;
    readonly body: Parameters<unknown> | undefined;
  };
  handle(call: RawCall): Promise<Answer>;
}

const fieldParameters = {
  include: { type: "string", maxLength: 4_000, description: "a comma-separated list of field names" },
  exclude: { type: "string", maxLength: 4_000, description: "a comma-separated list of field names" },
} as const satisfies Readonly<Record<string, ParameterSchema>>;

/** Makes a row of the route table. Query, Body and HeaderValues must say what the schemas say. */
export function defineRoute<const Path extends string, Query = object, Body = object, HeaderValues = object>(
  definition: RouteDefinition<Path, Query, Body, HeaderValues>,
): Route {
  const {
    method,
    path: template,
    handle,
    query: queryNames,
    headers: headerNames,
    body: bodyNames,
    ...rest
  } = definition;
  const { params: paramNames, required, ...description } = rest;
  const names = { ...pathParameters(template), ...paramNames };
  const path = defineParameters<ParamsOf<Path>>("path", names, Object.keys(names));
  const query = defineParameters<Query & FieldSelection>("query", { ...queryNames, ...fieldParameters });
  const header = defineParameters<HeaderValues>("header", headerNames ?? {});
  const body = bodyNames
    ? defineParameters<Body & FieldSelection>("body", { ...bodyNames, ...fieldParameters }, required)
    : undefined;
  const nothing = defineParameters<Body & FieldSelection>("body", fieldParameters);
  return {
    ...description,
    method,
    path: template,
    parameters: { path, query, header, body },
    async handle({ runtime, user, params, search, headers, body: given, hold }) {
      const problems: RequestProblem[] = [];
      const checkedParams = path.read(params, problems);
      const checkedQuery = query.read(readQuery(search, query, problems), problems);
      const checkedHeaders = header.read(readHeaders(headers, header), problems);
      const checkedBody = (body ?? nothing).read((body && given) ?? {}, problems);
      if (!checkedParams || !checkedQuery || !checkedHeaders || !checkedBody || problems.length > 0) refuse(problems);
      const include = checkedBody.include ?? checkedQuery.include;
      const exclude = checkedBody.exclude ?? checkedQuery.exclude;
      const selection: FieldSelection = { ...(include && { include }), ...(exclude && { exclude }) };
      const select = (resource: object): object => selectFields(resource, selection);
      return handle({
        runtime: runtime.as(user.id),
        service: runtime,
        apiKey: user.apiKey,
        params: checkedParams,
        query: checkedQuery,
        headers: checkedHeaders,
        body: checkedBody,
        select,
        hold,
        resource: (status, resource) => jsonAnswer(status, { data: select(resource) }),
      });
    },
  };
}
