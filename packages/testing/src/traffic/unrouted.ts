import type { Call } from "./calls.ts";
import { indented, shown } from "../shown.ts";

/** The component asked for something that no route answers. Nothing left the harness. */
export class UnroutedError extends Error {
  override readonly name = "UnroutedError";
  readonly calls: readonly Call[];

  constructor(calls: readonly Call[], routes: readonly string[]) {
    super(describe(calls, routes));
    this.calls = calls;
  }
}

/** The line to add for a request; its query is kept, so that pages can be told apart. */
const lineFor = ({ method, url }: Call): string => `${JSON.stringify(`${method} ${url}`)}: {},`;

function describe(calls: readonly Call[], routes: readonly string[]): string {
  const unique = [...new Map(calls.map((call) => [`${call.method} ${call.url}`, call])).values()];
  const [first] = unique;
  const asked =
    unique.length === 1 && first
      ? `No route answers ${first.method} ${first.url}; nothing leaves the harness.`
      : `No routes answer these requests; nothing leaves the harness.`;
  const bodies = unique
    .filter(({ body }) => body !== undefined)
    .map(({ method, url, body }) => `${method} ${url} was sent with ${shown(body)}`);
  return [
    asked,
    ...bodies,
    `Add to the source's routes, with what the upstream would answer:`,
    indented(unique.map(lineFor).join("\n"), "    "),
    routes.length === 0 ? "There are no routes yet." : `Routes there are:\n${indented(routes.join("\n"), "    ")}`,
  ].join("\n");
}

/** What the component's own fetch rejects with. */
export const unroutedText = ({ method, url }: Call): string => `no route answers ${method} ${url}`;
