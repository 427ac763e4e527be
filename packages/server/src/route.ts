import { type ErrorCode, type Json, type Runtime, type User, type UserRuntime } from "@x/runtime";

import type { Answer, Hold } from "@x/http";

import { fieldRoom, type FieldSelection, selectFields } from "./fields.ts";
import { inRequestNames } from "./request-names.ts";
import type { RouteAnswer } from "./route-answer.ts";
import { pathParameters, readHeaders, readQuery, refuse } from "./request-parameters.ts";
import {
  defineParameters,
  type Parameters,
  type ParameterSchema,
  type RequestProblem,
  type ValuesOf,
} from "./schema.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Names of the parameters in a path template. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { readonly [K in Name]: string }
    : unknown;

/** The validated input of a handler. */
interface Call<Params, Query, Body, HeaderValues> {
  /** Acts for the user whose key the request came with. */
  readonly runtime: UserRuntime;
  /** For resources without an owner, and for the management of users. */
  readonly service: Runtime;
  /** The API key of the user. */
  readonly apiKey: string;
  /** The key that the request came with: the API key, or that of a session. */
  readonly bearer: string;
  readonly params: Params;
  readonly query: Query;
  readonly headers: HeaderValues;
  readonly body: Body;
  /** Applies include and exclude to a resource. */
  readonly select: (resource: object) => object;
  /** Reserves the bytes of the answer before they are read. */
  readonly hold: Hold;
}

/** The OpenAPI description of a route. */
export interface RouteDescription {
  /** Unique; generated clients use it as a method name. */
  readonly name: string;
  readonly tag: string;
  readonly summary: string;
  /** Details in Markdown. */
  readonly description?: string;
  readonly answer: RouteAnswer<never>;
  /** True: the path does not exist for users other than the first. */
  readonly firstUserOnly?: true;
  /** True: needs no key; acts for the first user. Only pages of this service, and programs, may ask. */
  readonly open?: true;
  /** Error codes besides those that follow from the parameters. */
  readonly errors?: readonly ErrorCode[];
  /** A valid example of the body. */
  readonly bodyExample?: Json;
}

type Schemas = Readonly<Record<string, ParameterSchema>>;

interface RouteDefinition<
  Path extends string,
  Query extends Schemas,
  Body extends Schemas,
  HeaderSchemas extends Schemas,
  Required extends string,
  Result,
> extends Omit<RouteDescription, "tag" | "answer"> {
  readonly answer: RouteAnswer<Result>;
  /** Path parameters that are not ids. */
  readonly params?: Schemas;
  readonly query?: Query;
  /** Request headers that the route reads, by lower-case name. */
  readonly headers?: HeaderSchemas;
  /** Members of the JSON body. Absent when the route reads no body. */
  readonly body?: Body;
  /** Required members of the body. The handler checks members that depend on each other. */
  readonly required?: readonly Required[];
  handle(
    call: Call<ParamsOf<Path>, ValuesOf<Query>, ValuesOf<Body, Required>, ValuesOf<HeaderSchemas>>,
  ): Promise<NoInfer<Result>>;
}

/** A request before validation of its parameters. */
interface RawCall {
  readonly runtime: Runtime;
  readonly user: User;
  readonly bearer: string;
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

/**
 * Makes the rows of a tag of the OpenAPI document. `at` is the method and the path, relative to the base URL, with `:name` for
 * parameters.
 */
export const tagged =
  (tag: string) =>
  <
    const Path extends string,
    const Query extends Schemas = object & Schemas,
    const Body extends Schemas = object & Schemas,
    const HeaderSchemas extends Schemas = object & Schemas,
    const Required extends string = never,
    Result = Answer,
  >(
    at: `${Method} ${Path}`,
    definition: RouteDefinition<Path, Query, Body, HeaderSchemas, Required, Result>,
  ): Route => {
    const [method, template] = at.split(" ") as [Method, Path];
    const { handle, query: queryNames, headers: headerNames, body: bodyNames, ...rest } = definition;
    const { params: paramNames, required, answer, ...description } = rest;
    const names = { ...pathParameters(template), ...paramNames };
    const path = defineParameters<ParamsOf<Path>>("path", names, Object.keys(names));
    const query = defineParameters<ValuesOf<Query> & FieldSelection>("query", { ...queryNames, ...fieldParameters });
    const header = defineParameters<ValuesOf<HeaderSchemas>>("header", headerNames ?? {});
    const body = bodyNames
      ? defineParameters<ValuesOf<Body, Required> & FieldSelection>(
          "body",
          { ...bodyNames, ...fieldParameters },
          required,
        )
      : undefined;
    const nothing = defineParameters<ValuesOf<Body, Required> & FieldSelection>("body", fieldParameters);
    return {
      ...description,
      tag,
      answer,
      method,
      path: template,
      parameters: { path, query, header, body },
      async handle({ runtime, user, bearer, params, search, headers, body: given, hold }) {
        const problems: RequestProblem[] = [];
        const checkedParams = path.read(params, problems);
        const checkedQuery = query.read(readQuery(search, query, problems), problems);
        const checkedHeaders = header.read(readHeaders(headers, header), problems);
        const checkedBody = (body ?? nothing).read(body && given !== undefined ? given : {}, problems);
        if (!checkedParams || !checkedQuery || !checkedHeaders || !checkedBody || problems.length > 0) refuse(problems);
        const { include, exclude, ...ownQuery } = checkedQuery;
        const { include: includeInBody, exclude: excludeInBody, ...ownBody } = checkedBody;
        const selection = { include: includeInBody ?? include, exclude: excludeInBody ?? exclude };
        const room = fieldRoom();
        const select = (resource: object): object => selectFields(resource, selection, room);
        const call = {
          runtime: runtime.as(user.id),
          service: runtime,
          apiKey: user.apiKey,
          bearer,
          params: checkedParams,
          query: ownQuery as typeof checkedQuery,
          headers: checkedHeaders,
          body: ownBody as typeof checkedBody,
          select,
          hold,
        };
        try {
          const result = await handle(call);
          return answer.make ? answer.make(result, select) : (result as Answer);
        } catch (error) {
          throw inRequestNames(error, [
            ["path", Object.keys(path.schema.properties)],
            ["query", Object.keys(checkedQuery)],
            ["body", Object.keys(checkedBody)],
            ["query", Object.keys(query.schema.properties)],
            ["body", Object.keys(body?.schema.properties ?? {})],
            ["header", Object.keys(header.schema.properties)],
          ]);
        }
      },
    };
  };
