import type { EventStream } from "./basics.ts";
import type { PageInfo } from "./rest/envelope.ts";
import type { Routes } from "./rest/routes.ts";

/** The parts of a request. */
export interface RequestParts {
  readonly path?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string | number | boolean | undefined } | undefined;
  readonly headers?: { readonly [name: string]: string | undefined } | undefined;
  readonly body?: unknown;
  /** Ends the request; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A route of the REST interface, such as `GET /sources/{id}`. */
export type RouteName = keyof Routes;

/** What a route answers; undefined for 204. */
export type AnswerOf<Name extends RouteName> = Routes[Name]["answer"];

/** The `data` of an answer. */
export type DataOf<Name extends RouteName> = AnswerOf<Name> extends { readonly data: infer Data } ? Data : never;

/** A route that answers with events without end. */
export type StreamRoute = { [N in RouteName]: AnswerOf<N> extends EventStream ? N : never }[RouteName];

/** A route that answers with a text. */
export type TextRoute = { [N in RouteName]: AnswerOf<N> extends string ? N : never }[RouteName];

/** A route that answers with a page of a list. */
export type ListRoute = {
  [N in RouteName]: AnswerOf<N> extends { readonly page_info: PageInfo } ? N : never;
}[RouteName];

/** The members of an answer that are wanted: a comma-separated list of their names. */
interface FieldSelection {
  readonly include?: string | undefined;
  readonly exclude?: string | undefined;
}

type QueryOf<Route> = Route extends { readonly query?: infer Query }
  ? NonNullable<Query> & FieldSelection
  : FieldSelection;

/** The parts of a request of a route. */
export type PartsOf<Name extends RouteName> = Omit<Routes[Name], "answer" | "query"> & {
  readonly query?: QueryOf<Routes[Name]> | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** The parts as an argument, which may be left out when the route needs none. */
export type Given<Parts> = object extends Parts ? [parts?: Parts] : [parts: Parts];
