import { type Answer, emptyAnswer, jsonAnswer, jsonTextAnswer, streamAnswer } from "@x/http";
import { allOf, dataOf, listOf, type Schema, type Shape } from "@x/resources";

/** The answer of a route on success. */
export interface RouteAnswer<Result = Answer> {
  readonly status: 200 | 202 | 204;
  readonly description: string;
  /** Absent when there is no body. */
  readonly schema?: Schema;
  /** Default: application/json. */
  readonly mediaType?: string;
  /** Makes the answer of what the handler returns; absent when that is the answer. `select` applies include and exclude. */
  readonly make?: (result: Result, select: (resource: object) => object) => Answer;
}

/** One resource. */
export const one = (shape: Shape, description: string, status: 200 | 202 = 200): RouteAnswer<object> => ({
  status,
  description,
  schema: dataOf(shape),
  make: (resource, select) => jsonAnswer(status, { data: select(resource) }),
});

/** One resource, in which a `JsonText` is not parsed. */
export const oneOfTexts = (shape: Shape, description: string): RouteAnswer<object> => ({
  ...one(shape, description),
  make: (resource, select) => jsonTextAnswer(200, { data: select(resource) }),
});

/** A list without pages. */
export const all = (shape: Shape, description: string): RouteAnswer<readonly object[]> => ({
  status: 200,
  description,
  schema: allOf(shape),
  make: (resources, select) => jsonAnswer(200, { data: resources.map(select) }),
});

/** A page of a list, which the handler makes: pages have cursors of several kinds. */
export const pageOf = (shape: Shape, description: string): RouteAnswer => ({
  status: 200,
  description,
  schema: listOf(shape),
});

/** No body. */
export const nothing = (description: string): RouteAnswer<unknown> => ({
  status: 204,
  description,
  make: () => emptyAnswer,
});

/** Server-sent events. */
export const stream = (description: string): RouteAnswer<ReadableStream<Uint8Array>> => ({
  status: 200,
  description,
  mediaType: "text/event-stream",
  schema: { type: "string", description: "Server-sent events." },
  make: (body) => streamAnswer("text/event-stream; charset=utf-8", body),
});
