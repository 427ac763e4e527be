import type { Call } from "../traffic/calls.ts";
import { counted } from "../shown.ts";
import type { Check, Trial } from "./check.ts";

const reading = new Set(["GET", "HEAD", "OPTIONS"]);
const changes = (calls: readonly Call[]): string[] =>
  calls.filter(({ method }) => !reading.has(method)).map(({ method, url }) => `${method} ${url}`);

const rounds = 3;

/** How many events each of some rounds brings. */
async function eventCounts(trial: Trial, isRestarted: boolean): Promise<number[]> {
  const feed = await trial.open({ warm: true });
  const counts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = feed.emits.length;
    await trial.stimulus.apply(feed);
    counts.push(feed.emits.length - before);
    if (isRestarted) await feed.restart();
  }
  return counts;
}

export const lifeChecks: readonly Check[] = [
  {
    title: "it is deployed, runs and is deleted without an error",
    async find(trial) {
      const feed = await trial.open();
      await trial.stimulus.apply(feed);
      await feed.delete();
      return undefined;
    },
  },
  {
    title: "what activate sets up, deactivate takes back",
    skip: ({ shape }) => (shape.hooks.includes("activate") ? undefined : "the component has no hook activate"),
    async find(trial) {
      const feed = await trial.open();
      const setUp = changes(feed.runs.filter(({ entry }) => entry === "activate").flatMap(({ calls }) => calls));
      if (setUp.length === 0) return undefined;
      if (!trial.shape.hooks.includes("deactivate"))
        return `activate sends ${setUp.join(", ")}, and there is no hook deactivate`;
      feed.clear();
      await feed.update({ active: false });
      return changes(feed.calls).length > 0
        ? undefined
        : `activate sends ${setUp.join(", ")}, and deactivate sends nothing that takes it back`;
    },
  },
  {
    title: "activated again it is as it was",
    skip: ({ shape }) => (shape.hooks.includes("activate") ? undefined : "the component has no hook activate"),
    async find(trial) {
      const feed = await trial.open();
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
    async find(trial) {
      const [whole, restarted] = [await eventCounts(trial, false), await eventCounts(trial, true)];
      return whole.join() === restarted.join()
        ? undefined
        : `${rounds} rounds in one process bring ${whole.join(", ")} events, with restarts in between ${restarted.join(", ")}: keep what must last in $.service.db, not in variables`;
    },
  },
  {
    title: "strange requests are answered without a failure",
    skip: ({ shape }) =>
      shape.props.some(({ customResponse }) => customResponse === true)
        ? undefined
        : "the component answers no requests itself",
    async find(trial) {
      const feed = await trial.open();
      const failed: string[] = [];
      for (const { name } of trial.shape.props.filter(({ customResponse }) => customResponse === true)) {
        for (const [line, body] of strangeRequests) {
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

const strangeRequests: readonly (readonly [line: string, body?: unknown])[] = [
  ["GET /"],
  ["POST /"],
  ["POST /", "{"],
  ["POST /", []],
  ["POST /", { unexpected: true }],
  ["DELETE /unknown?x=1"],
];
