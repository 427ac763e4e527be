import { HarnessError } from "../harness-error.ts";
import type { Call } from "../traffic/calls.ts";
import type { Answer } from "../traffic/request-line.ts";
import { parseRoute } from "../traffic/route-pattern.ts";
import { counted } from "../shown.ts";
import { callLine } from "../timeline.ts";
import { differences, explainDifferences, written } from "./partial-match.ts";
import { describeGiven, failureHints, type MatcherResult, matcherResult, readReceived } from "./received.ts";

/** Expected fields of a request, beside method and URL. */
export interface RequestedLike {
  /** Default: at least once. */
  readonly times?: number;
  readonly body?: unknown;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: unknown };
  readonly query?: { readonly [name: string]: unknown };
}

/** `line` is `GET https://api.example.test/items`, or `GET /items` for any host, with `:name`, `*` and a query as in routes. */
export function toHaveRequested(given: unknown, line: string, expected: number | RequestedLike = {}): MatcherResult {
  const received = readReceived("toHaveRequested", given);
  const pattern = parseRoute(line, false);
  const { times, ...like } = typeof expected === "number" ? { times: expected } : expected;
  const routed = received.calls.filter(({ method, url }) => pattern.match(method, url));
  const problems = (call: Call): string[] => explainDifferences(differences(like, call));
  const found = routed.filter((call) => problems(call).length === 0);
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const wanted = `${line}${Object.keys(like).length === 0 ? "" : ` with ${written(like)}`}`;
  return matcherResult(pass, () => [
    `Expected ${wanted} ${pass ? "not " : ""}to be requested${times === undefined ? "" : ` ${counted(times, "time")}`}, it was ${found.length === 0 ? "not" : `requested ${counted(found.length, "time")}`}.`,
    received.calls.length === 0 ? "The component sent no requests." : "The component sent:",
    ...received.calls.map((call) => {
      const why = routed.includes(call) ? problems(call) : [];
      return `  ${found.includes(call) ? "=" : " "} ${callLine(call)}${why.length === 0 ? "" : `   ${why.join("; ")}`}`;
    }),
    ...failureHints(received),
  ]);
}

/** Expected fields of an answer. */
export interface AnswerLike {
  readonly status?: number;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: unknown };
  readonly body?: unknown;
}

/** `expected`: the status, with an optional `body`; or an object of expected fields. */
export function toHaveRespondedWith(given: unknown, expected: number | AnswerLike, body?: unknown): MatcherResult {
  if (typeof given !== "object" || given === null || !("status" in given) || !("headers" in given))
    throw new HarnessError(
      `expect(…).toHaveRespondedWith takes the answer of request(), got ${describeGiven(given)}. Write expect(await source.request("POST /")).`,
    );
  const { status, headers, body: got, error } = given as Answer;
  const like = typeof expected === "number" ? { status: expected, ...(body !== undefined && { body }) } : expected;
  const found = differences(like, { status, headers, body: got });
  return matcherResult(found.length === 0, () => [
    found.length === 0
      ? `Expected an answer other than ${written(like)}.`
      : `The answer is not as expected:\n${explainDifferences(found)
          .map((line) => `  ${line}`)
          .join("\n")}`,
    `Got ${status} ${written(got, 400)}`,
    ...(error ? [`because ${error.entry} threw ${error.stack}`] : []),
  ]);
}
