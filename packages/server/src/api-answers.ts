import { type Json, type Runtime, XError } from "@x/runtime";

import {
  type Answer,
  bodyBytes as bodyBytesOf,
  type BodyRules,
  readBody,
  type Cors,
  refusal,
  refuseMethod,
  parseJson,
  type RateLimit,
  type FindRoute,
  type Match,
} from "@x/http";
import type { Budgets } from "./budget/memory-budgets.ts";
import { findCaller } from "./caller.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { answerMetrics, metricsPath } from "./metrics/metrics-answer.ts";
import type { Inspector } from "./inspector/inspector.ts";
import type { Route } from "./route.ts";
import { tracedAnswer } from "./traced-answer.ts";

/** What the paths of the interface begin with. */
export const basePath = "/v1";

const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

async function readJson(request: Request, rules: Pick<BodyRules, "limit" | "open">): Promise<Json | undefined> {
  const bytes = await readBody(request, {
    ...rules,
    onFirst() {
      const type = request.headers.get("content-type") ?? "";
      if (!jsonType.test(type))
        throw new XError("unsupported_media_type", [
          "Content-Type application/json",
          JSON.stringify(type.slice(0, 100)),
        ]);
    },
  });
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

/** Not an async function: its frame would hold the body until the answer. */
const handleBody = <T>(read: () => Promise<T>, handle: (body: T) => Promise<Answer>): Promise<Answer> =>
  read().then(handle);

const noPath = (): Answer =>
  refusal(404, "not_found", `This path does not exist; paths of the interface begin with ${basePath}.`);

interface ApiParts {
  readonly runtime: Runtime;
  readonly findRoute: FindRoute<Route>;
  readonly inspector: Inspector | undefined;
  readonly bodyBytes: number;
  readonly budgets: Budgets;
  readonly cors: Cors | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly metrics: Metrics;
}

/** Makes the function that answers requests of the interface; it throws what is refused. */
export function createApiAnswers(parts: ApiParts): (request: Request, url: URL) => Promise<Answer> {
  const { runtime, findRoute, inspector, bodyBytes, budgets, cors, rateLimit, metrics } = parts;
  const callerOf = findCaller(runtime, inspector);

  /** The metrics are of all users, so only the first one has this path. */
  async function answerFirstUser(request: Request): Promise<Answer> {
    const { user } = await callerOf(request, {});
    rateLimit?.take(`user ${user.id}`);
    return user.id === runtime.firstUserId ? answerMetrics(request.method, metrics) : noPath();
  }

  async function answerRoute(
    request: Request,
    url: URL,
    match: Match<Route> & { readonly route: Route },
  ): Promise<Answer> {
    const { route, params } = match;
    const { user, bearer } = await callerOf(request, route);
    rateLimit?.take(route.open ? "sign-in" : `user ${user.id}`);
    if (route.firstUserOnly && user.id !== runtime.firstUserId) return noPath();
    const hold = budgets.answers.open(user.id);
    try {
      const rules = { limit: bodyBytes, open: () => budgets.requests.open(user.id) };
      const read = async (): Promise<Json | undefined> =>
        route.parameters.body ? readJson(request, rules) : undefined;
      const call = { runtime, user, bearer, params, search: url.searchParams, headers: request.headers, hold };
      const given = await handleBody(read, (body) => {
        runtime.working(`${route.method} ${basePath}${route.path}`);
        return route.handle({ ...call, body });
      });
      if (!given.stream) hold.resize(bodyBytesOf(given));
      return { ...given, hold };
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  // Contract 3.1: path, method, key and rate limit are checked before the body and the parameters.
  return async (request, url) => {
    const match = findRoute(request.method, url.pathname);
    if (!match) return url.pathname === metricsPath ? answerFirstUser(request) : noPath();
    const preflight = cors?.preflight(request, match.allowed);
    if (preflight) return preflight;
    const { route } = match;
    if (!route) refuseMethod(request.method, match.allowed);
    return tracedAnswer(runtime, request, basePath + route.path, () => answerRoute(request, url, { ...match, route }));
  };
}
