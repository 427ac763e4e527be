import { type Json, type Runtime, toLogger, type User, XError } from "@x/runtime";

import { type Answer, bodyBytes as bodyBytesOf, jsonAnswer, toResponse } from "./answer.ts";
import { type AppOptions, checkAppOptions } from "./app-options.ts";
import { type BodyRules, readBody } from "./body.ts";
import { createBudgets } from "./budget/budgets.ts";
import { createCors } from "./cors.ts";
import { createDocuments } from "./docs/documents.ts";
import { failureAnswer, refusal, refuseMethod } from "./failure.ts";
import { answerEndpoint, type ClientInfo, findEndpoint } from "./ingress.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { answerMetrics, metricsPath } from "./metrics/metrics-answer.ts";
import { parseJson } from "./json.ts";
import { createRateLimit } from "./rate-limit.ts";
import { logAnswers } from "./request-log.ts";
import { createRouter } from "./router.ts";
import { createRoutes } from "./routes/table.ts";
import { createStreams } from "./stream/streams.ts";

const wellFormed = /^(?:\/[\w.~-]+)+$/;

/** The mount path: empty, or with a leading and without a trailing slash. Throws `invalid_options`. */
export function parseMountPath(path = ""): string {
  if (path === "" || wellFormed.test(path)) return path;
  throw new XError("invalid_options", ["mountPath", "a path such as /events", JSON.stringify(path)]);
}

/** The URL without the mount path, which a surrounding router may have removed already. */
function belowMount(url: URL, mountPath: string): URL {
  if (mountPath === "" || !`${url.pathname}/`.startsWith(`${mountPath}/`)) return url;
  const below = new URL(url);
  below.pathname = url.pathname.slice(mountPath.length);
  return below;
}

/** The REST interface of one runtime. */
export interface App {
  /** Answers a request; never rejects. */
  fetch(request: Request, client?: ClientInfo): Promise<Response>;
  /** As `fetch`, for servers that write status, headers and body themselves. */
  answer(request: Request, client?: ClientInfo): Promise<Answer>;
  /** Prepares the end: `/healthz` answers 503, event streams end, and connections close after their answers. */
  drain(): void;
}

const basePath = "/v1";
const jsonType = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;
const bearer = /^Bearer +([^\s,]{1,512})$/i;

async function authenticate(runtime: Runtime, request: Request): Promise<User> {
  const key = bearer.exec(request.headers.get("authorization") ?? "")?.[1];
  const user = key === undefined ? undefined : await runtime.authenticate(key);
  if (!user) throw new XError("unauthorized", []);
  return user;
}

async function readJson(request: Request, rules: Pick<BodyRules, "limit" | "open">): Promise<Json | undefined> {
  const bytes = await readBody(request, {
    ...rules,
    onFirst() {
      const type = request.headers.get("content-type") ?? "";
      if (!jsonType.test(type)) throw new XError("unsupported_media_type", [JSON.stringify(type.slice(0, 100))]);
    },
  });
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

const noPath = (): Answer =>
  refusal(404, "not_found", `This path does not exist; paths of the interface begin with ${basePath}.`);

/** Closes the connection after the answer: an idle one would delay a closing server. */
const lastAnswer = (answer: Answer): Answer => ({
  ...answer,
  headers: [...answer.headers.filter(([name]) => name !== "connection"), ["connection", "close"]],
});

/** The REST interface as a Web-standard handler, without state of its own. Throws `invalid_options`. */
export function createApp(runtime: Runtime, options: AppOptions = {}): App {
  checkAppOptions(options);
  const { bodyBytes = 1024 * 1024, endpointBodyBytes = runtime.limits.httpBodyBytes } = options;
  const logger = toLogger(options.logger);
  const report = (method: string) => (cause: unknown) =>
    logger.error("a request failed", { method, error: cause instanceof Error ? cause.stack : cause });
  const budgets = createBudgets(options.budgets);
  const streams = createStreams({ ...options.streams, report: report("GET") });
  const routes = createRoutes({ streams, ...(options.clock && { clock: options.clock }) });
  const findRoute = createRouter(basePath, routes);
  const mountPath = parseMountPath(options.mountPath);
  const documents = createDocuments(basePath, routes, mountPath);
  const cors = options.cors && createCors(options.cors);
  const rateLimit = options.rateLimit && createRateLimit(options.rateLimit);
  const metrics = createMetrics(runtime);
  let serving = true;
  let failure: XError | undefined;
  void runtime.failed.then((error) => (failure = error));

  // Contract 3.1: path, method, key and rate limit are checked before the body and the parameters.
  async function answerApi(request: Request, url: URL): Promise<Answer> {
    const match = findRoute(request.method, url.pathname);
    if (!match) return url.pathname === metricsPath ? answerFirstUser(request) : noPath();
    const preflight = cors?.preflight(request, match.allowed);
    if (preflight) return preflight;
    if (!match.route) refuseMethod(request.method, match.allowed);
    const user = await authenticate(runtime, request);
    rateLimit?.take(`user ${user.id}`);
    if (match.route.firstUserOnly && user.id !== runtime.firstUserId) return noPath();
    const hold = budgets.answers.open(user.id);
    try {
      const { route, params } = match;
      const rules = { limit: bodyBytes, open: () => budgets.requests.open(user.id) };
      const body = route.parameters.body ? await readJson(request, rules) : undefined;
      const { headers } = request;
      const given = await route.handle({ runtime, user, params, search: url.searchParams, headers, body, hold });
      if (!given.stream) hold.resize(bodyBytesOf(given));
      return { ...given, hold };
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  /** The metrics are of all users, so only the first one has this path. */
  async function answerFirstUser(request: Request): Promise<Answer> {
    const user = await authenticate(runtime, request);
    rateLimit?.take(`user ${user.id}`);
    return user.id === runtime.firstUserId ? answerMetrics(request.method, metrics) : noPath();
  }

  /** Answers paths that need no key; undefined for other paths. */
  function answerOpen(method: string, path: string): Answer | undefined {
    const document = documents.get(path);
    if (!document && path !== "/healthz") return undefined;
    if (method !== "GET" && method !== "HEAD") refuseMethod(method, ["GET", "HEAD"]);
    if (document) return document;
    if (!serving) throw new XError("closed", []);
    if (failure) return refusal(503, failure.code, failure.message);
    return jsonAnswer(200, { ok: true });
  }

  async function answerCaught(request: Request, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      return failureAnswer(error, report(request.method));
    }
  }

  async function route(request: Request, client: ClientInfo): Promise<Answer> {
    const url = belowMount(new URL(request.url), mountPath);
    const target = findEndpoint(url);
    if (target) {
      rateLimit?.take(`endpoint ${target.key}`);
      return answerEndpoint(runtime, request, { target, url, client, bodyBytes: endpointBodyBytes, budgets });
    }
    const given = await answerCaught(
      request,
      async () => answerOpen(request.method, url.pathname) ?? (await answerApi(request, url)),
    );
    return cors ? cors.expose(request, given) : given;
  }

  const answer: App["answer"] = logAnswers(logger, async (request, client: ClientInfo = {}) => {
    const given = await answerCaught(request, () => route(request, client));
    return serving ? given : lastAnswer(given);
  });

  return {
    answer,
    async fetch(request, client) {
      return toResponse(request.method, await answer(request, client));
    },
    drain() {
      serving = false;
      streams.close();
    },
  };
}
