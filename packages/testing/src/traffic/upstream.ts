import type { PlainReply, PlainRequest } from "@x/runtime";

import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";
import { beginCall, type Call, type OpenCall, type RoutedCall } from "./calls.ts";
import { plainReplyOf } from "./reply.ts";
import { parseRoute, type RoutePattern } from "./route-pattern.ts";
import { unroutedText } from "./unrouted.ts";

/** Returns the answer to a request. When it throws, the connection fails. */
export type RouteFunction = (call: RoutedCall) => unknown;

/**
 * The answer of a route: a value (sent as JSON with status 200), text, bytes, `reply(status, body, headers)`, a `Response`,
 * a promise of one of them, or a function that returns one. A union instead of `unknown`: it types a function's parameter.
 */
export type RouteAnswer = RouteFunction | {} | null | undefined;

export type Routes = { readonly [methodAndUrl: string]: RouteAnswer };

/** Answers every request instead of routes; a cassette is one. */
export interface Answerer {
  readonly answer: (request: PlainRequest) => Promise<PlainReply>;
  /** Called with the secrets of a source before its first request. */
  begin?(secrets: readonly string[]): void;
  /** Called after every step of the test; throws when a request was not expected. */
  check?(): void;
  /** Called at the end of the test; throws when an expected request is missing. */
  close?(): void;
  /** For `conformance`, which repeats requests: answers equal requests with the same answer. */
  repeated?(): Answerer;
}

interface Route {
  readonly pattern: RoutePattern;
  readonly answer: RouteAnswer;
  times: number;
}

/** Upstreams in memory, with a record of the requests. */
export interface Upstream {
  readonly exchange: (request: PlainRequest) => Promise<PlainReply>;
  /** Adds a route, or replaces the one of this name. */
  route(methodAndUrl: string, answer: RouteAnswer): void;
  /** The requests since the last call, in order. */
  takeCalls(): Call[];
  /** The requests since the last call that no route answers. */
  takeUnrouted(): Call[];
  /** Invalid answers of routes since the last call. They fail the step even when the component handles the failed request. */
  takeMistakes(): HarnessError[];
  readonly routes: readonly string[];
}

export function createUpstream(given: Routes | Answerer, now: () => number): Upstream {
  const routes = new Map<string, Route>();
  const answerer = isAnswerer(given) ? given : undefined;
  const calls: Call[] = [];
  const unrouted: Call[] = [];
  const mistakes: HarnessError[] = [];

  const route = (text: string, answer: RouteAnswer): void => {
    const pattern = parseRoute(text);
    routes.set(pattern.text, { pattern, answer, times: 0 });
  };
  if (!isAnswerer(given)) for (const [text, answer] of Object.entries(given)) route(text, answer);

  function findRoute(call: Call): { route: Route; params: RoutedCall["params"] } | undefined {
    const found = [...routes.values()].flatMap((route) => {
      const params = route.pattern.match(call.method, call.url);
      return params ? [{ route, params }] : [];
    });
    return found.toSorted((a, b) => b.route.pattern.specificity - a.route.pattern.specificity)[0];
  }

  async function answer(call: OpenCall, request: PlainRequest): Promise<PlainReply> {
    const found = findRoute(call);
    if (found) {
      const { route, params } = found;
      call.route = route.pattern.text;
      const { answer: given } = route;
      const routed: RoutedCall = { ...call, params, times: route.times++ };
      const value: unknown = await (typeof given === "function" ? (given as RouteFunction)(routed) : given);
      if (value === undefined) throw new HarnessError(undefinedAnswerText(route));
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
    takeCalls: () => calls.splice(0),
    takeUnrouted: () => unrouted.splice(0),
    takeMistakes: () => mistakes.splice(0),
    get routes() {
      return [...routes.keys()];
    },
  };
}

const undefinedAnswerText = ({ pattern }: Route): string =>
  `The route ${shown(pattern.text)} answers undefined: give it a value, text, bytes, or reply(204) for no body.`;

export const isAnswerer = (given: Routes | Answerer): given is Answerer =>
  "answer" in given && typeof given["answer"] === "function";
