import type { Call } from "../traffic/calls.ts";
import { counted } from "../shown.ts";
import type { Check, CheckContext } from "./context.ts";

const readMethods = new Set(["GET", "HEAD", "OPTIONS"]);
const changes = (calls: readonly Call[]): string[] =>
  calls.filter(({ method }) => !readMethods.has(method)).map(({ method, url }) => `${method} ${url}`);

const rounds = 3;

/** The number of events of each round. */
async function eventCounts(context: CheckContext, isRestarted: boolean): Promise<number[]> {
  const feed = await context.open({ warm: true });
  const counts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = feed.emits.length;
    await context.stimulus.apply(feed);
    counts.push(feed.emits.length - before);
    if (isRestarted) await feed.restart();
  }
  return counts;
}

export const lifeChecks: readonly Check[] = [
  {
    title: "it is deployed, runs and is deleted without an error",
    async find(context) {
      const feed = await context.open();
      await context.stimulus.apply(feed);
      await feed.delete();
      return undefined;
    },
  },
  {
    title: "deactivate undoes what activate set up",
    skip: ({ shape }) => (shape.hooks.includes("activate") ? undefined : "the component has no hook activate"),
    async find(context) {
      const feed = await context.open();
      const setUp = changes(feed.runs.filter(({ entry }) => entry === "activate").flatMap(({ calls }) => calls));
      if (setUp.length === 0) return undefined;
      if (!context.shape.hooks.includes("deactivate"))
        return `activate sends ${setUp.join(", ")}, and there is no hook deactivate`;
      feed.clear();
      await feed.update({ active: false });
      return changes(feed.calls).length > 0
        ? undefined
        : `activate sends ${setUp.join(", ")}, and deactivate sends nothing that undoes it`;
    },
  },
  {
    title: "a second activation has the effects of the first",
    skip: ({ shape }) => (shape.hooks.includes("activate") ? undefined : "the component has no hook activate"),
    async find(context) {
      const feed = await context.open();
      const first = changes(feed.runs.filter(({ entry }) => entry === "activate").flatMap(({ calls }) => calls));
      const keys = Object.keys(feed.db).sort().join(", ");
      await feed.update({ active: false });
      feed.clear();
      await feed.update({ active: true });
      const second = changes(feed.calls);
      if (second.length !== first.length)
        return `activate sends ${counted(first.length, "change")} the first time and ${second.length} the second time`;
      const keysNow = Object.keys(feed.db).sort().join(", ");
      return keysNow === keys ? undefined : `the db held ${keys || "nothing"} and holds ${keysNow || "nothing"} now`;
    },
  },
  {
    title: "a restart changes nothing",
    async find(context) {
      const [whole, restarted] = [await eventCounts(context, false), await eventCounts(context, true)];
      return whole.join() === restarted.join()
        ? undefined
        : `${rounds} rounds in one process emit ${whole.join(", ")} events, with restarts between them ${restarted.join(", ")}: keep state in $.service.db, not in variables`;
    },
  },
  {
    title: "unexpected requests are answered without an error",
    skip: ({ shape }) =>
      shape.props.some(({ customResponse }) => customResponse === true)
        ? undefined
        : "the component has no custom responses",
    async find(context) {
      const feed = await context.open();
      const failed: string[] = [];
      for (const { name } of context.shape.props.filter(({ customResponse }) => customResponse === true)) {
        for (const [line, body] of unexpectedRequests) {
          const answer = await feed.request(line, { prop: name, ...(body !== undefined && { body }) });
          const why = answer.error ? `: ${answer.error.name}: ${answer.error.message}` : "";
          if (answer.status >= 500)
            failed.push(
              `${line}${body === undefined ? "" : ` with ${JSON.stringify(body)}`} is answered ${answer.status}${why}`,
            );
        }
      }
      return failed.length === 0 ? undefined : failed.join("\n");
    },
  },
];

const unexpectedRequests: readonly (readonly [line: string, body?: unknown])[] = [
  ["GET /"],
  ["POST /"],
  ["POST /", "{"],
  ["POST /", []],
  ["POST /", { unexpected: true }],
  ["DELETE /unknown?x=1"],
];
