import { type Json, type Logger, type Runtime, type User, XError } from "@x/runtime";

import { type Answer, jsonAnswer, toResponse } from "./answer.ts";
import { readBody } from "./body.ts";
import { failureAnswer, refusal } from "./failure.ts";
import { answerEndpoint, type ClientInfo, findEndpoint } from "./ingress.ts";
import { parseJson } from "./json.ts";
import { createRouter } from "./router.ts";
import { routes } from "./routes/table.ts";

export interface AppOptions {
  /** Largest JSON body in bytes; default 1 MiB. */
  readonly bodyBytes?: number;
  /** Largest body of a request to an endpoint in bytes; default 512 KiB. */
  readonly endpointBodyBytes?: number;
  /** Hears about failures whose cause callers do not see. */
  readonly logger?: Logger;
}

/** The REST interface of one runtime. */
export interface App {
  /** Answers a request; never rejects. */
  fetch(request: Request, client?: ClientInfo): Promise<Response>;
  /** The same, for servers that write status, headers and body themselves. */
  answer(request: Request, client?: ClientInfo): Promise<Answer>;
  /** From now on `/healthz` answers 503. */
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

async function readJson(request: Request, limit: number): Promise<Json | undefined> {
  const bytes = await readBody(request, limit, () => {
    const type = request.headers.get("content-type") ?? "";
    if (!jsonType.test(type)) throw new XError("unsupported_media_type", [JSON.stringify(type.slice(0, 100))]);
  });
  return bytes.length === 0 ? undefined : parseJson(bytes);
}

function refuseMethod(method: string, allowed: readonly string[]): never {
  const allow = allowed.join(", ");
  throw new XError("method_not_allowed", [method.slice(0, 30), allow], { details: { allow } });
}

/** The REST interface as a Web-standard handler. It owns no state: everything is asked of the runtime. */
export function createApp(runtime: Runtime, options: AppOptions = {}): App {
  const { bodyBytes = 1024 * 1024, endpointBodyBytes = 512 * 1024, logger } = options;
  const findRoute = createRouter(basePath, routes);
  let serving = true;

  // Order of the checks: contract 3.1.
  async function answerApi(request: Request, url: URL): Promise<Answer> {
    const match = findRoute(request.method, url.pathname);
    if (!match)
      return refusal(404, "not_found", `This path does not exist; paths of the interface begin with ${basePath}.`);
    if (!match.route) refuseMethod(request.method, match.allowed);
    const user = await authenticate(runtime, request);
    const body = match.route.parameters.body ? await readJson(request, bodyBytes) : undefined;
    return match.route.handle({ runtime, user, params: match.params, search: url.searchParams, body });
  }

  function answerHealth(method: string): Answer {
    if (method !== "GET" && method !== "HEAD") refuseMethod(method, ["GET", "HEAD"]);
    if (!serving) throw new XError("closed", []);
    return jsonAnswer(200, { ok: true });
  }

  async function answer(request: Request, client: ClientInfo = {}): Promise<Answer> {
    try {
      const url = new URL(request.url);
      const target = findEndpoint(url);
      if (target) return await answerEndpoint(runtime, request, target, { url, client, bodyBytes: endpointBodyBytes });
      return url.pathname === "/healthz" ? answerHealth(request.method) : await answerApi(request, url);
    } catch (error) {
      return failureAnswer(error, (cause) => {
        logger?.error("A request failed", {
          method: request.method,
          error: cause instanceof Error ? cause.stack : cause,
        });
      });
    }
  }

  return {
    answer,
    async fetch(request, client) {
      return toResponse(request.method, await answer(request, client));
    },
    drain() {
      serving = false;
    },
  };
}
