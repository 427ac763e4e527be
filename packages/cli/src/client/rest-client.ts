import {
  type AnswerOf,
  type Client,
  createClient,
  type Given,
  type ListRoute,
  type PartsOf,
  type RequestParts,
  RestError,
  type RouteName,
  type StreamRoute,
} from "@x/client";
import type { ErrorCode } from "@x/runtime";

import { EnvironmentError, ServiceError, UsageError } from "../errors.ts";

/** Sends a request. Rejects with `EnvironmentError` when the service is unreachable. */
export type Send = (request: Request) => Promise<Response>;

/** What `ask` resolves with: the `data` of the answer, or a whole answer that is text or empty. */
type Asked<Name extends RouteName> = AnswerOf<Name> extends { readonly data: infer Data } ? Data : AnswerOf<Name>;

/** A client of the REST interface. Requests reject with `ServiceError` for an error response of the service. */
export interface RestClient extends Pick<Client, "follow"> {
  /** The URL of the service, without `/v1`. */
  readonly where: string;
  ask<const Name extends Exclude<RouteName, StreamRoute>>(
    route: Name,
    ...given: Given<PartsOf<Name>>
  ): Promise<Asked<Name>>;
  /** The first `max` items of a list, fetched page by page; default: all. */
  list<const Name extends ListRoute>(
    route: Name,
    parts: PartsOf<Name>,
    max?: number,
  ): Promise<AnswerOf<Name>["data"][number][]>;
}

const maxOnPage = 100;

/** A client of the service at `where`. */
export function createRestClient(where: string, apiKey: string | undefined, send: Send): RestClient {
  const client = createClient({ url: where, apiKey, fetch: send });

  function explain(error: unknown): unknown {
    if (error instanceof TypeError && error.message.endsWith("of a URL path")) return new UsageError(error.message);
    if (!(error instanceof RestError)) return error;
    if (error.code === "unreachable") return error.cause;
    if (error.status === 401)
      return new UsageError(
        apiKey === undefined
          ? `${where} needs an API key: X_API_KEY or --api-key KEY; x serve prints it at the first start, x dev at each start`
          : `${where} does not know this API key; x serve prints it at the first start, x dev at each start`,
      );
    if (error.code === "unexpected_answer") return new EnvironmentError(`${where} is not an x service`);
    return new ServiceError({ error: error.message, code: error.code as ErrorCode, details: error.details });
  }

  async function* explained<Item>(items: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
    try {
      yield* items;
    } catch (error) {
      throw explain(error);
    }
  }

  const rest = {
    where,
    async ask(route: "GET /users/me", ...given: [RequestParts?]): Promise<unknown> {
      const answer: unknown = await client.request(route, ...(given as [])).catch((error: unknown) => {
        throw explain(error);
      });
      if (typeof answer !== "object" || answer === null) return answer;
      if (!("data" in answer)) throw new EnvironmentError(`${where} is not an x service`);
      return answer.data;
    },
    async list(route: ListRoute, parts: RequestParts, max = Number.POSITIVE_INFINITY): Promise<unknown[]> {
      const found: unknown[] = [];
      const query = { ...parts.query, limit: Math.min(maxOnPage, max) };
      for await (const item of explained(client.list(route, { ...parts, query }))) {
        found.push(item);
        if (found.length >= max) break;
      }
      return found;
    },
    follow: (route: StreamRoute, parts: never) => explained(client.follow(route, parts)),
  };
  // The types of `RestClient` come from the table of routes.
  return rest as unknown as RestClient;
}
