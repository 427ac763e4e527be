/** `npm run bench:timers`: many sources with timers over several nodes: how late they fire, and who owns how many. */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

import { ask } from "../../test/faults/service.child.ts";
import { type Fleet, startFleet } from "../../test/cluster/fleet.ts";
import { missingBinaries } from "../../test/cluster/private-postgres.ts";
import { quantile } from "../../test/quantiles.ts";
import { machine } from "../machine.ts";

const { values } = parseArgs({
  options: {
    nodes: { type: "string", default: "3" },
    sources: { type: "string", default: "10000" },
    /** Each source fires once in this time. */
    interval: { type: "string", default: "60" },
    intervals: { type: "string", default: "3" },
  },
});
const count = Number(values.sources);
const intervalMs = Number(values.interval) * 1_000;
/** Deploys at the same time. */
const clients = 16;

const component = `export default {
  name: "Tick", version: "1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: ${intervalMs / 1_000} } } },
  run(event) { this.$emit({ at: Date.now(), timestamp: event.timestamp }); },
};`;

/** Deploys all sources; their ticks are as far apart as their deploys. */
async function deployAll({ balancer: { url } }: Fleet): Promise<void> {
  const { data } = await ask<{ data: { id: string } }>(url, "POST", "/components", { component_code: component });
  let left = count;
  const deploy = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await ask(url, "POST", "/sources", { component_id: data.id, name: `tick ${left}` });
    }
  };
  await Promise.all(Array.from({ length: clients }, deploy));
}

/** How late each tick from a time on was, in ms: the next tick of a source shows when its earlier ones were due. */
async function readLateness({ postgres }: Fleet, from: number): Promise<number[]> {
  const rows = await postgres.sql(`
    SELECT (e.payload::json->>'at')::float8 - t.at FROM soak.event e JOIN soak.timer t ON t.source_id = e.emitter_id
      WHERE e.stream = 0 AND (e.payload::json->>'at')::float8 > ${from}`);
  return rows.map((text) => Number(text) - Math.round(Number(text) / intervalMs) * intervalMs);
}

async function measure(fleet: Fleet): Promise<void> {
  const began = performance.now();
  await deployAll(fleet);
  console.log(`deployed in ${Math.round((performance.now() - began) / 1_000)} s`);
  await pause(intervalMs);
  const from = Date.now();
  await pause(Number(values.intervals) * intervalMs);
  const owned = await fleet.postgres.sql(`
    SELECT count(*) FROM soak.source c JOIN soak.slot s ON s.slot = ('x' || substr(md5(c.id), 1, 3))::bit(12)::int >> 2
      GROUP BY s.owner ORDER BY 1`);
  console.log(`sources by owner: ${owned.join(", ")}`);
  const late = await readLateness(fleet, from);
  const shown = [0, 0.5, 0.99, 1].map((share) => Math.round(quantile(late, share))).join(" / ");
  console.log(
    `${late.length} of ${count * Number(values.intervals)} ticks; late by least / median / p99 / most: ${shown} ms`,
  );
}

if (missingBinaries() === undefined) {
  console.log(`${machine()}; ${count} sources, each every ${intervalMs / 1_000} s`);
  await using fleet = await startFleet(Number(values.nodes));
  await measure(fleet);
}
