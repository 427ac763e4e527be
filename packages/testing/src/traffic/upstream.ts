import type { PlainReply, PlainRequest } from "@x/runtime";

import { beginCall, type Call, type OpenCall, type RoutedCall } from "./calls.ts";
import { plainReplyOf } from "./reply.ts";
import { HarnessError } from "../harness-error.ts";
import { parseRoute, type RoutePattern } from "./route-pattern.ts";
import { shown } from "../shown.ts";
import { unroutedText } from "./unrouted.ts";

/** Gives the answer to a request. One that throws is an upstream that cannot be reached. */
export type RouteFunction = (call: RoutedCall) => unknown;

/**
 * What a route answers: a value (sent as JSON with status 200), text, bytes, `reply(status, body, headers)`, a `Response`,
 * or a function that gives one of them or a promise of one. Any value, as `unknown` is, but a function knows its parameter.
 */
export type RouteAnswer = RouteFunction | {} | null | undefined;

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
  /** For `conformance`, which asks the same again and again: one that answers the same to it. */
  repeated?(): Answerer;
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
  /** What is wrong with answers of routes since the last time: the test's fault, whatever the component does about it. */
  takeMistakes(): HarnessError[];
  readonly routes: readonly string[];
}

export function createUpstream(given: Routes | Answerer, now: () => number): Upstream {
  const routes = new Map<string, Route>();
  const answerer = isAnswerer(given) ? given : undefined;
  let calls: Call[] = [];
  let unrouted: Call[] = [];
  let mistakes: HarnessError[] = [];

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
      const value: unknown = await (typeof given === "function" ? (given as RouteFunction)(routed) : given);
      if (value === undefined) throw new HarnessError(nothingFrom(route));
      return plainReplyOf(value);
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
        if (error instanceof HarnessError) mistakes.push(error);
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
    takeMistakes() {
      const taken = mistakes;
      mistakes = [];
      return taken;
    },
    get routes() {
      return [...routes.keys()];
    },
  };
}

const nothingFrom = ({ pattern }: Route): string =>
  `The route ${shown(pattern.text)} answers undefined: give it a value, text, bytes, or reply(204) for no body.`;

/** A recording, and no routes. */
export const isAnswerer = (given: Routes | Answerer): given is Answerer =>
  "answer" in given && typeof given["answer"] === "function";
