import { createRuntime, type Runtime } from "@x/runtime";

import { testEngineWithin } from "../../packages/runtime/src/engine.cases.ts";
import { checkFile } from "../faults/older-folder.ts";
import type { Shelves } from "./shelves.ts";
import { type Claim, emitter, lastStep, writtenKey } from "./load.ts";

/** Events of each stream that services and judges keep: all. */
export const retention = 1_000_000;

interface Payload {
  readonly n: number;
  readonly id?: string;
  readonly from?: number;
}

/** A source of the load, as it was found. */
interface Found {
  readonly label: string;
  readonly payloads: readonly Payload[];
  readonly db: ReadonlyMap<string, unknown>;
}

async function find(runtime: Runtime): Promise<{ found: Map<string, Found>; lives: Map<number, number[]> }> {
  const found = new Map<string, Found>();
  const lives = new Map<number, number[]>();
  for (const { source } of (await runtime.sources({ limit: 1_000 })).items) {
    const [, life, step] = /^life-(\d+)-(\d)$/.exec(source.name) ?? [];
    if (life !== undefined) {
      const known = lives.get(Number(life)) ?? [];
      lives.set(Number(life), [...known, source.active ? Number(step) : lastStep - 1]);
      continue;
    }
    const db = new Map((await runtime.dbEntries(source.id)).map(({ key, value }) => [key, value]));
    const { items } = await runtime.storedEvents(source.id, "emits", { limit: retention });
    const payloads = items.map(({ payload }) => JSON.parse(payload) as Payload).toReversed();
    found.set(source.name, { label: source.name, payloads, db });
  }
  return { found, lives };
}

/** Each run is there as a whole, once, in order. */
function judgeRuns({ label, payloads, db }: Found): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [index, { n, id, from }] of payloads.entries()) {
    if (n !== index + 1) problems.push(`${label}: run ${index + 1} counted ${n}`);
    if (label === "chained" && from !== index + 1)
      problems.push(`${label}: event ${String(from)} was its number ${index + 1}`);
    if (id === undefined) continue;
    if (seen.has(id)) problems.push(`${label}: ${id} ran twice`);
    seen.add(id);
  }
  const counted = Number(db.get("n") ?? 0);
  // A timer may have fired between both reads.
  if (label !== "timer" && counted !== payloads.length)
    problems.push(`${label}: its db counted ${counted} runs, and it has ${payloads.length} events`);
  return problems;
}

type State = Awaited<ReturnType<typeof find>>;

/** Steps of the lives of passing sources, as they are and as they were acknowledged. */
function judgeLives(claims: readonly Claim[], { lives }: State): string[] {
  const problems: string[] = [];
  const steps = new Map<number, number>();
  for (const claim of claims) {
    if (claim.kind === "step") steps.set(claim.life, Math.max(claim.step, steps.get(claim.life) ?? 0));
  }
  for (const life of new Set([...steps.keys(), ...lives.keys()])) {
    const [acknowledged, states] = [steps.get(life) ?? 0, lives.get(life) ?? []];
    if (states.length > 1) problems.push(`life ${life} is there ${states.length} times`);
    // No source: not yet deployed, or deleted.
    const [step = acknowledged === 0 ? 0 : lastStep] = states;
    if (step !== acknowledged && step !== acknowledged + 1)
      problems.push(`life ${life} is at step ${step}, and ${acknowledged} is acknowledged`);
  }
  return problems;
}

function judgeClaims(claims: readonly Claim[], { found }: State): string[] {
  const ran = new Map([...found].map(([label, { payloads }]) => [label, new Set(payloads.map(({ id }) => id))]));
  const isLost = (claim: Claim): boolean => {
    switch (claim.kind) {
      case "source":
        return !found.has(claim.label);
      case "request":
        return ran.get(claim.label)?.has(claim.id) !== true;
      case "written":
        return Number(found.get(claim.label)?.db.get(writtenKey) ?? 0) < claim.value;
      case "step":
        return false;
    }
  };
  return claims.filter(isLost).map((claim) => `lost, but acknowledged: ${JSON.stringify(claim)}`);
}

/**
 * Opens a data folder as a service does, lets everything run that waits, and compares; returns problems. What the folder
 * keeps of the registry must not be taken for its files.
 */
export async function judgeFolder(
  data: string,
  claims: readonly Claim[],
  shelves: Shelves,
): Promise<readonly string[]> {
  const problems: string[] = [];
  let runtime: Runtime | undefined;
  try {
    runtime = await createRuntime({ data, engine: await testEngineWithin({ retention }), registry: shelves.folder });
    await runtime.start();
    await runtime.idle();
    const state = await find(runtime);
    for (const key of shelves.keys) {
      const { shape } = await runtime.registryComponent(key);
      if (shape.version !== shelves.version())
        problems.push(`${key} of the registry has version ${shape.version}, its file ${shelves.version()}`);
    }
    problems.push(
      ...[...state.found.values()].flatMap(judgeRuns),
      ...judgeClaims(claims, state),
      ...judgeLives(claims, state),
    );
    const [sent, arrived] = [emitter, "chained"].map((label) => state.found.get(label)?.payloads.length ?? 0);
    // The subscription is made after both sources.
    if (claims.some(({ kind }) => kind === "request") && sent !== arrived)
      problems.push(`${sent} events of ${emitter} led to ${arrived} runs`);
  } catch (error) {
    problems.push(`it does not open: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await runtime?.close();
  }
  return problems.length > 0 ? problems : checkFile(data);
}
