import { setTimeout as pause } from "node:timers/promises";

import { createRandom, type Random } from "../faults/random.ts";
import { ask } from "../faults/service.child.ts";
import { type Fleet, type FleetNode, startFleet } from "./fleet.ts";
import { createLedger, judgeOverlaps, type Ledger } from "./ledger.ts";
import { type Load, startLoad } from "./load.ts";
import { measureSilences, type Silence } from "./silence.ts";
import { type Deployed, deploySources, tickMs } from "./sources.ts";
import { followSource, judgeStream, type Stream } from "./stream.ts";

/**
 * What happens to a fleet. `terminate`: the server ends every connection, again and again; `roll`: every node is restarted in an
 * orderly way, one after another.
 */
export type Fault = "kill" | "stop" | "restart" | "terminate" | "cut" | "roll";

export interface CampaignOptions {
  readonly nodes: number;
  readonly sources: number;
  /** Each client sends this often. */
  readonly paceMs: number;
  readonly rounds: { readonly [fault in Fault]: number };
  /** How long a stopped node is frozen: longer than the lease. */
  readonly frozenMs: number;
  readonly seed: number;
  readonly report?: (line: string) => void;
}

/** One fault, and the time from it to when everything went on. */
interface Round {
  readonly fault: Fault;
  readonly node: number;
  readonly from: number;
  readonly to: number;
  /** The sources that the node had. */
  readonly sources: readonly Deployed[];
}

export interface CampaignReport {
  readonly problems: readonly string[];
  /** What held the main threads of the nodes. */
  readonly holds: readonly string[];
  readonly rounds: { readonly [fault in Fault]: number };
  /** Silences of the sources of the node that the fault hit (`restart`, `terminate`, `roll`: of all). */
  readonly silences: { readonly [fault in Fault]: readonly Silence[] };
  /** The same at a time without faults, of all sources. */
  readonly calm: readonly Silence[];
  /** Answers with 5xx during rolling restarts, after the repetitions of the balancer. */
  readonly rollFailures: readonly string[];
  readonly acknowledged: number;
  readonly events: number;
  readonly deliveries: number;
  /** Deliveries beyond the first one of an event: at least once is what is promised. */
  readonly repeatedDeliveries: number;
  readonly resumedStreams: number;
  /** Runs at nodes that had lost the source meanwhile; their effects were refused. */
  readonly refusedRuns: number;
  /** Attempts of requests that ran without an answer 2xx. */
  readonly unanswered: number;
  readonly minutes: number;
}

const calmMs = 3_000;
/** A fault excuses runs without effects that overlap others for this long. */
const excusedMs = 60_000;
const cutMs = 1_500;
/** A rolling restart ends the next node so long after the last one serves, as docs/scaling.md says. */
const rolledMs = 5_000;
/** How often the server ends connections in one round. */
export const terminationsPerRound = 25;
/** How long nodes may work before the server ends their connections again. */
const workingMs = 300;
const restLimitMs = 120_000;
const followed = 3;

/** The order of the faults: spread evenly, then mixed. */
function planFaults(rounds: CampaignOptions["rounds"], random: Random): Fault[] {
  const plan = (Object.entries(rounds) as [Fault, number][]).flatMap(([fault, count]) =>
    Array.from({ length: count }, (_, index) => ({ fault, at: (index + random()) / count })),
  );
  return plan.toSorted((a, b) => a.at - b.at).map(({ fault }) => fault);
}

const ofNodes = "pg_stat_activity WHERE application_name = 'x'";
const endAll = `SELECT pg_terminate_backend(pid) FROM ${ofNodes}`;
/** Ends the next connection at the moment at which the server knows it: its client may not have read yet that it is ready. */
const endNext = `SET statement_timeout = '60s'; DO $$ DECLARE ended int8 := 0; BEGIN
  WHILE ended = 0 LOOP
    PERFORM pg_stat_clear_snapshot(), pg_sleep(0.0002);
    SELECT count(pg_terminate_backend(pid)) INTO ended FROM ${ofNodes};
  END LOOP; END $$`;

/** Resolves when each node has its lock and its writer. */
async function connected({ postgres, nodes }: Fleet): Promise<void> {
  for (let count = 0; count < 2 * nodes.length;) {
    for (const node of nodes) if (!node.isRunning()) throw new Error(`node ${node.number} has ended:\n${node.log()}`);
    count = Number((await postgres.sql(`SELECT count(*) FROM ${ofNodes}`))[0]);
  }
}

/** Ends connections of the nodes while they work, and those that follow while they are made. */
async function terminate(fleet: Fleet, random: Random): Promise<void> {
  for (let times = 0; times < terminationsPerRound; times += 1) {
    if (random() < 0.5) await fleet.postgres.sql(endNext);
    else {
      await connected(fleet);
      await pause(random() * workingMs);
      await fleet.postgres.sql(endAll);
    }
  }
  await connected(fleet);
}

/** Makes a fault happen; resolves when the node is back. */
async function inflict(
  fault: Fault,
  node: FleetNode,
  fleet: Fleet,
  { frozenMs, random }: { readonly frozenMs: number; readonly random: Random },
): Promise<void> {
  if (fault === "kill") {
    await node.end("SIGKILL");
    await pause(random() * 1_000);
    await node.start();
  } else if (fault === "stop") {
    node.freeze();
    await pause(frozenMs);
    node.thaw();
  } else if (fault === "restart") await fleet.postgres.restart();
  else if (fault === "terminate") await terminate(fleet, random);
  else if (fault === "cut") {
    node.link.cut();
    await pause(random() * cutMs);
    node.link.mend();
  } else {
    for (const each of fleet.nodes) {
      await each.end("SIGTERM");
      await each.start();
      await pause(rolledMs);
    }
  }
}

interface Scene {
  readonly fleet: Fleet;
  readonly sources: readonly Deployed[];
  readonly load: Load;
  readonly ledger: Ledger;
  readonly random: Random;
}

const hitsAll = (fault: Fault): boolean => fault === "restart" || fault === "terminate" || fault === "roll";

async function runRound(fault: Fault, scene: Scene, frozenMs: number): Promise<Round> {
  const { fleet, sources, random } = scene;
  const node = fleet.nodes[Math.floor(random() * fleet.nodes.length)];
  if (!node) throw new Error("There is no node.");
  const isForAll = hitsAll(fault);
  const labels = sources.map(({ label }) => label);
  const hit = sources.filter(({ label }) => isForAll || fleet.referee.ownerOf(label) === node.number);
  const from = performance.now();
  await inflict(fault, node, fleet, { frozenMs, random });
  await fleet.referee.progress(labels);
  const to = performance.now();
  // A silence ends before the next fault begins.
  await pause(tickMs + random() * 1_000);
  return { fault, node: node.number, from, to, sources: hit };
}

/** Pauses the timers, and reads until nothing is missing; resolves with what is wrong then. */
async function settle({ fleet, sources, load, ledger }: Scene): Promise<readonly string[]> {
  const { url } = fleet.balancer;
  const problems: string[] = [];
  await load.stop();
  for (const { id, kind } of sources) {
    if (kind === "timer") await ask(url, "PATCH", `/sources/${id}`, { active: false });
  }
  const until = performance.now() + restLimitMs;
  for (;;) {
    problems.push(...(await ledger.read()));
    if (ledger.missing(load, fleet.referee) === undefined || performance.now() > until) break;
    await pause(500);
  }
  return [...problems, ...(await ledger.close(load, fleet.referee))];
}

function silencesOf({ fleet, ledger }: Scene, rounds: readonly Round[]): CampaignReport["silences"] {
  const all = { kill: [], stop: [], restart: [], terminate: [], cut: [], roll: [] } as { [fault in Fault]: Silence[] };
  for (const { fault, ...span } of rounds)
    all[fault].push(...measureSilences(fleet.referee.runs, ledger.committed(), span));
  return all;
}

/** Runs of nodes under a fault may overlap others as long as they have no effect. */
const isExcusedBy =
  (rounds: readonly Round[]) =>
  ({ node }: { readonly node: number }, at: number): boolean =>
    rounds.some(
      (round) =>
        at >= round.from &&
        at <= round.to + excusedMs &&
        (round.fault === "restart" || round.fault === "terminate" || (round.fault !== "roll" && round.node === node)),
    );

async function runRounds(
  scene: Scene,
  { rounds, frozenMs, report = () => undefined }: CampaignOptions,
): Promise<{ done: Round[]; problems: string[] }> {
  const { fleet, ledger, load } = scene;
  const done: Round[] = [];
  const problems: string[] = [];
  for (const fault of planFaults(rounds, scene.random)) {
    const failed = load.failures.length;
    const round = await runRound(fault, scene, frozenMs);
    done.push(round);
    const found = await ledger.read();
    problems.push(...found);
    const silences = measureSilences(fleet.referee.runs, ledger.committed(), round).map(({ ms }) => ms);
    report(
      `round ${done.length}: ${fault}${hitsAll(fault) ? "" : ` of node ${round.node}`}, ${round.sources.length} sources, ` +
        `longest silence ${Math.round(Math.max(0, ...silences))} ms, all go on after ${Math.round(round.to - round.from)} ms; ` +
        `${ledger.events} events, ${load.failures.length} failed requests, ${problems.length} problems`,
    );
    for (const { what } of load.failures.slice(failed)) report(`  failed: ${what}`);
    for (const problem of found) report(`PROBLEM in round ${done.length}: ${problem}`);
    if (found.length > 0) for (const node of fleet.nodes) report(`log of node ${node.number}:\n${node.log()}`);
  }
  return { done, problems };
}

/**
 * Loads several services on one PostgreSQL, makes faults happen, and compares what is stored with what was acknowledged, what
 * ran, what was received and what was streamed.
 */
export async function runClusterCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { report = () => undefined, paceMs } = options;
  const began = performance.now();
  await using fleet = await startFleet(options.nodes);
  const { url } = fleet.balancer;
  const sources = await deploySources(url, options, fleet.referee.upstream(0));
  const ledger = createLedger(url, sources);
  const streams = sources
    .slice(0, followed)
    .map((source): [Deployed, Stream] => [source, followSource(url, source.id)]);
  const load = startLoad(url, sources, paceMs);
  const scene: Scene = { fleet, sources, load, ledger, random: createRandom(options.seed) };
  await fleet.referee.progress(sources.map(({ label }) => label));
  const calmFrom = performance.now();
  await pause(calmMs);
  await ledger.read();
  const calmSpan = { sources, from: calmFrom, to: calmFrom + calmMs };
  const calm = measureSilences(fleet.referee.runs, ledger.committed(), calmSpan);

  const { done, problems } = await runRounds(scene, options);
  const settled = await settle(scene);
  for (const problem of settled) report(`PROBLEM at the end: ${problem}`);
  const overlaps = judgeOverlaps(fleet.referee, ledger.committed(), isExcusedBy(done));
  for (const problem of overlaps.problems) report(`PROBLEM ${problem}`);
  for (const [{ label }, stream] of streams) {
    await stream.stop();
    problems.push(...judgeStream(label, stream, ledger.ids(label)));
  }
  const delivered = new Set(fleet.referee.received.map(({ webhook, n }) => `${webhook} ${n}`));
  const counts = (fault: Fault): number => done.filter((round) => round.fault === fault).length;
  const rolls = done.filter(({ fault }) => fault === "roll");
  return {
    problems: [...problems, ...settled, ...overlaps.problems],
    holds: fleet.nodes.flatMap((node) => node.holds),
    rounds: {
      kill: counts("kill"),
      stop: counts("stop"),
      restart: counts("restart"),
      terminate: counts("terminate"),
      cut: counts("cut"),
      roll: counts("roll"),
    },
    silences: silencesOf(scene, done),
    calm,
    rollFailures: load.failures
      .filter(({ at }) => rolls.some(({ from, to }) => at >= from && at <= to))
      .map(({ what }) => what),
    acknowledged: [...load.sent.values()].reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    events: ledger.events,
    deliveries: delivered.size,
    repeatedDeliveries: fleet.referee.received.length - delivered.size,
    resumedStreams: streams.reduce((sum, [, { resumed }]) => sum + resumed, 0),
    refusedRuns: overlaps.refused,
    unanswered: ledger.unanswered,
    minutes: (performance.now() - began) / 60_000,
  };
}
