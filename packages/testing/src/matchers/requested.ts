import type { Call } from "../traffic/calls.ts";
import { parseRoute } from "../traffic/route-pattern.ts";
import { counted } from "../shown.ts";
import { callLine } from "../timeline.ts";
import { differences, explainDifferences, written } from "./partial-match.ts";
import { failureHints, readReceived, type Verdict, verdict } from "./received.ts";

/** What requests are compared by, beside method and URL. */
export interface RequestedLike {
  /** Default: at least once. */
  readonly times?: number;
  readonly body?: unknown;
  /** Names in lower case. */
  readonly headers?: { readonly [name: string]: unknown };
  readonly query?: { readonly [name: string]: unknown };
}

/** `GET https://api.example.test/items`, or `GET /items` at any host; as in routes, with `:name`, `*` and a query. */
export function toHaveRequested(given: unknown, line: string, expected: number | RequestedLike = {}): Verdict {
  const received = readReceived("toHaveRequested", given);
  const pattern = parseRoute(line, false);
  const { times, ...like } = typeof expected === "number" ? { times: expected } : expected;
  const routed = received.calls.filter(({ method, url }) => pattern.match(method, url));
  const problems = (call: Call): string[] => explainDifferences(differences(like, call));
  const found = routed.filter((call) => problems(call).length === 0);
  const pass = times === undefined ? found.length > 0 : found.length === times;
  const wanted = `${line}${Object.keys(like).length === 0 ? "" : ` with ${written(like)}`}`;
  return verdict(pass, () => [
    `Expected ${wanted} ${pass ? "not " : ""}to be requested${times === undefined ? "" : ` ${counted(times, "time")}`}, it was ${found.length === 0 ? "not" : `requested ${counted(found.length, "time")}`}.`,
    received.calls.length === 0 ? "The component has requested nothing." : "The component has requested:",
    ...received.calls.map((call) => {
      const why = routed.includes(call) ? problems(call) : [];
      return `  ${found.includes(call) ? "=" : " "} ${callLine(call)}${why.length === 0 ? "" : `   ${why.join("; ")}`}`;
    }),
    ...failureHints(received),
  ]);
}
