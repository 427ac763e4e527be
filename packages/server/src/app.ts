import { findEndpoint, type Runtime, toLogger, XError } from "@x/runtime";

import {
  type Answer,
  jsonAnswer,
  toResponse,
  createCors,
  failureAnswer,
  refusal,
  refuseMethod,
  createHeldRefusals,
  type ClientInfo,
  type Handler,
  isBodyUsed,
  withBody,
  createRateLimit,
  createRouter,
} from "@x/http";
import { basePath, createApiAnswers } from "./api-answers.ts";
import { type AppOptions, checkAppOptions } from "./app-options.ts";
import { createBudgets } from "./budget/memory-budgets.ts";
import { createDocuments } from "./docs/documents.ts";
import { answerEndpoint } from "./ingress.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { openInspector } from "./inspector/inspector.ts";
import { answerCallback, callbackPath } from "./oauth-callback.ts";
import { logAnswers } from "./request-log.ts";
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
export interface App extends Handler {
  /** The path of the inspector with a sign-in token, for a link: it works once, for half an hour. Undefined without an inspector. */
  signInPath?(): string;
}

/** Closes the connection after the answer: an idle one would delay a closing server. */
const lastAnswer = (answer: Answer): Answer => ({
  ...answer,
  headers: [...answer.headers.filter(([name]) => name !== "connection"), ["connection", "close"]],
});

/** Answers paths that need no key; undefined for other paths. `check` throws, or answers, when the service cannot serve. */
function answerOpen(request: Request, path: string, find: () => Answer | undefined, check: () => Answer | undefined) {
  const { method } = request;
  // The default check of HAProxy. It sends no Host, which pages refuse.
  if (method === "OPTIONS" && (path === "/" || path === "/healthz"))
    return check() ?? { status: 204, headers: [["allow", "GET, HEAD, OPTIONS"]], body: null };
  const document = find();
  if (!document && path !== "/healthz") return undefined;
  if (method !== "GET" && method !== "HEAD") refuseMethod(method, ["GET", "HEAD"]);
  return document ?? check() ?? jsonAnswer(200, { ok: true });
}

/** The REST interface as a Web-standard handler, without state of its own. Throws `invalid_options`. */
export function createApp(runtime: Runtime, options: AppOptions = {}): App {
  checkAppOptions(options);
  const { bodyBytes = 1024 * 1024, endpointBodyBytes = runtime.limits.httpBodyBytes } = options;
  const logger = toLogger(options.logger);
  const report = (method: string) => (cause: unknown) =>
    logger.error("a request failed", { method, error: cause instanceof Error ? cause.stack : cause });
  const budgets = createBudgets(options.budgets);
  const streams = createStreams({ ...options.streams, report: report("GET") });
  const mountPath = parseMountPath(options.mountPath);
  const inspector = openInspector(runtime, options.inspector, mountPath);
  const routes = createRoutes({
    streams,
    ...(options.clock && { clock: options.clock }),
    ...(inspector && { inspector }),
  });
  const findRoute = createRouter(basePath, routes);
  const documents = createDocuments(basePath, routes, mountPath);
  const cors = options.cors && createCors(options.cors);
  const rateLimit = options.rateLimit && createRateLimit(options.rateLimit);
  const refusals = createHeldRefusals();
  const metrics = createMetrics(runtime);
  const answerApi = createApiAnswers({ runtime, findRoute, inspector, bodyBytes, budgets, cors, rateLimit, metrics });
  let serving = true;
  let failure: XError | undefined;
  void runtime.failed.then((error) => (failure = error));

  async function answerCaught(request: Request, work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      return failureAnswer(error, report(request.method));
    }
  }

  function checkHealth(): Answer | undefined {
    if (!serving) throw new XError("closed", []);
    return failure && refusal(503, failure.code, failure.message);
  }

  async function route(request: Request, client: ClientInfo): Promise<Answer> {
    const url = belowMount(new URL(request.url), mountPath);
    const target = findEndpoint(url);
    if (target) {
      rateLimit?.take(`endpoint ${target.key}`);
      const given = await answerEndpoint(runtime, request, {
        target,
        url,
        client,
        bodyBytes: endpointBodyBytes,
        budgets,
      });
      return inspector && !target.ownHost ? inspector.contain(given) : given;
    }
    const path = url.pathname;
    if (path === callbackPath) {
      rateLimit?.take("oauth callback");
      return answerCaught(request, () => answerCallback(runtime, request, report(request.method)));
    }
    const find = (): Answer | undefined => documents.get(path) ?? inspector?.page(path, request);
    const given = await answerCaught(
      request,
      async () => answerOpen(request, path, find, checkHealth) ?? (await answerApi(request, url)),
    );
    return cors ? cors.expose(request, given) : given;
  }

  const answer: App["answer"] = logAnswers(logger, async (request, client: ClientInfo = {}) => {
    const readable = async (): Promise<Request> =>
      client.body ? withBody(request, new Uint8Array(client.body), endpointBodyBytes) : request;
    const given = await refusals.pass(await answerCaught(request, async () => route(await readable(), client)));
    return serving ? given : lastAnswer(given);
  });

  return {
    answer,
    ...(inspector && { signInPath: inspector.signInPath }),
    async fetch(request, client) {
      const isGone = client?.body === undefined && isBodyUsed(request);
      const given = isGone ? failureAnswer(new XError("body_already_read", []), report(request.method)) : undefined;
      return toResponse(request.method, given ?? (await answer(request, client)));
    },
    drain() {
      serving = false;
      streams.close();
    },
  };
}
