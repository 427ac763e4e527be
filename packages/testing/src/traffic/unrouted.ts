import type { Call } from "./calls.ts";
import { indented, shown } from "../shown.ts";

/** The component sent a request that no route answers. The request did not reach the network. */
export class UnroutedError extends Error {
  override readonly name = "UnroutedError";
  readonly calls: readonly Call[];

  constructor(calls: readonly Call[], routes: readonly string[]) {
    super(describe(calls, routes));
    this.calls = calls;
  }
}

/** The route to add for a request, with its query, so that each page has a route of its own. */
const lineFor = ({ method, url }: Call): string => `${JSON.stringify(`${method} ${url}`)}: {},`;

function describe(calls: readonly Call[], routes: readonly string[]): string {
  const unique = [...new Map(calls.map((call) => [`${call.method} ${call.url}`, call])).values()];
  const [first] = unique;
  const asked =
    unique.length === 1 && first
      ? `No route answers ${first.method} ${first.url}; the harness has no network.`
      : `No routes answer these requests; the harness has no network.`;
  const bodies = unique
    .filter(({ body }) => body !== undefined)
    .map(({ method, url, body }) => `${method} ${url} was sent with ${shown(body)}`);
  return [
    asked,
    ...bodies,
    `Add routes with the answers of the upstream:`,
    indented(unique.map(lineFor).join("\n"), "    "),
    routes.length === 0
      ? "The test has no routes."
      : `The test has these routes:\n${indented(routes.join("\n"), "    ")}`,
  ].join("\n");
}

/** The message of the error that the component's `fetch` rejects with. */
export const unroutedText = ({ method, url }: Call): string => `no route answers ${method} ${url}`;
