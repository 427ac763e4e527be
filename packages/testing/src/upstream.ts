import type { PlainReply, PlainRequest } from "@x/runtime";

import { beginCall, type Call, type OpenCall, type RoutedCall } from "./calls.ts";
import { plainReplyOf } from "./reply.ts";
import { parseRoute, type RoutePattern } from "./route-pattern.ts";
import { unroutedText } from "./unrouted.ts";

/**
 * What a route answers: a value (sent as JSON with status 200), text, bytes, `reply(status, body, headers)`, a `Response`,
 * or a function that gives one of them. A function that throws is an upstream that cannot be reached.
 */
export type RouteAnswer = unknown;

export type Routes = { readonly [methodAndUrl: string]: RouteAnswer };

/** Answers every request, in place of routes: a recording does. */
export interface Answerer {
  readonly answer: (request: PlainRequest) => Promise<PlainReply>;
  /** Told of the secrets that the source was given, before it asks anything. */
  begin?(secrets: readonly string[]): void;
  /** After every step of the test; throws when what was asked is not what was to be asked. */
  check?(): void;
  /** At the end of the test. */
  close?(): void;
}

interface Route {
  readonly pattern: RoutePattern;
  readonly answer: RouteAnswer;
  times: number;
}

/** Upstreams in memory, with what was asked of them. */
export interface Upstream {
  readonly exchange: (request: PlainRequest) => Promise<PlainReply>;
  /** Adds a route, or replaces that of the same name. */
  route(methodAndUrl: string, answer: RouteAnswer): void;
  /** The requests since the last time, in the order in which they were sent. */
  takeCalls(): Call[];
  /** Those of them since the last time that nothing answers. */
  takeUnrouted(): Call[];
  readonly routes: readonly string[];
}

type Handler = (call: RoutedCall) => unknown;

export function createUpstream(given: Routes | Answerer, now: () => number): Upstream {
  const routes = new Map<string, Route>();
  const answerer = isAnswerer(given) ? given : undefined;
  let calls: Call[] = [];
  let unrouted: Call[] = [];

  const route = (text: string, answer: RouteAnswer): void => {
    const pattern = parseRoute(text);
    routes.set(pattern.text, { pattern, answer, times: 0 });
  };
  if (!isAnswerer(given)) for (const [text, answer] of Object.entries(given)) route(text, answer);

  function find(call: Call): { route: Route; params: RoutedCall["params"] } | undefined {
    let best: { route: Route; params: RoutedCall["params"] } | undefined;
    for (const candidate of routes.values()) {
      const params = candidate.pattern.match(call.method, call.url);
      if (params && (!best || candidate.pattern.weight > best.route.pattern.weight))
        best = { route: candidate, params };
    }
    return best;
  }

  async function answer(call: OpenCall, request: PlainRequest): Promise<PlainReply> {
    const found = find(call);
    if (found) {
      const { route, params } = found;
      call.route = route.pattern.text;
      const { answer: given } = route;
      const routed: RoutedCall = { ...call, params, times: route.times++ };
      return plainReplyOf(typeof given === "function" ? await (given as Handler)(routed) : given);
    }
    if (answerer) return answerer.answer(request);
    unrouted.push(call);
    throw new Error(unroutedText(call));
  }

  return {
    route,
    async exchange(request) {
      const call = beginCall(request, now());
      calls.push(call);
      try {
        const reply = await answer(call, request);
        call.status = reply.status;
        return reply;
      } catch (error) {
        call.error = error instanceof Error ? error.message : String(error);
        throw error;
      }
    },
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
    },
    takeUnrouted() {
      const taken = unrouted;
      unrouted = [];
      return taken;
    },
    get routes() {
      return [...routes.keys()];
    },
  };
}

const isAnswerer = (given: Routes | Answerer): given is Answerer =>
  "answer" in given && typeof given["answer"] === "function";
