import type { ComplexInput } from "./complex-input.ts";
import { fixedWorkMs, slownessOf } from "./slowness.ts";

/** Ms of the main thread's processor for one input. */
export interface Use {
  readonly ms: number;
  /** The longest stretch in which nothing else could run. */
  readonly peakMs: number;
}

export interface Measured {
  readonly input: ComplexInput;
  readonly quarter: Use;
  readonly whole: Use;
  /** How much longer twice the size takes, the mean of two doublings; noise is no growth. */
  readonly growth: number;
  /** How much slower this machine is than that of the limits. */
  readonly slowness: number;
}

/** What each input of the class may take: ms of the processor of the machine of the limits, and how much longer for twice the size. */
export const most = { ms: 250, growth: 2.5 } as const;
/** Stretches to be shorter than, in ms. It is looked at by people: machines differ by more than what is beyond it. */
export const wantedPeakMs = 100;
/** Below, in ms, collections of garbage and cold caches make a linear work grow by more than its size. */
const noiseMs = 25;
const lookMs = 1;

/** What this thread has used, in ms: what other threads and processes do meanwhile does not count. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Measures work that is done once. */
export async function measureOnce(work: () => unknown): Promise<Use> {
  const before = used();
  let [last, peakMs] = [before, 0];
  const look = (): void => {
    const now = used();
    peakMs = Math.max(peakMs, now - last);
    last = now;
  };
  const looking = setInterval(look, lookMs);
  await work();
  look();
  clearInterval(looking);
  return { ms: last - before, peakMs };
}

const least = (uses: readonly Use[]): Use => ({
  ms: Math.min(...uses.map(({ ms }) => ms)),
  peakMs: Math.min(...uses.map(({ peakMs }) => peakMs)),
});

/** Rounds of a measurement: collections of garbage and the caches of a busy machine only add to one, so that the least counts. */
const rounds = { fewest: 2, most: 12 } as const;

/**
 * Measures an input at a quarter of its size and at the whole one, by turns with fixed work,
 * until it is within the limits or the rounds are over.
 */
export async function measure(input: ComplexInput): Promise<Measured> {
  const once = async (size: number): Promise<Use> => measureOnce(await input.prepare(Math.ceil(size)));
  // Compiles what runs.
  await (
    await input.prepare(Math.ceil(input.size / 8))
  )();
  fixedWorkMs();
  const [quarters, wholes, fixed]: [Use[], Use[], number[]] = [[], [], []];
  for (;;) {
    quarters.push(await once(input.size / 4));
    wholes.push(await once(input.size));
    fixed.push(fixedWorkMs());
    const [quarter, whole, slowness] = [least(quarters), least(wholes), slownessOf(fixed)];
    const growth = Math.sqrt(whole.ms / Math.max(quarter.ms, noiseMs * slowness));
    const measured = { input, quarter, whole, growth, slowness };
    const isWithin = fixed.length >= rounds.fewest && excesses(measured).length === 0;
    if (isWithin || fixed.length === rounds.most) return measured;
  }
}

/** What is beyond the limits, in words. */
export function excesses({ whole, growth, slowness }: Measured): readonly string[] {
  const limitMs = most.ms * slowness;
  return [
    whole.ms < limitMs ? "" : `${Math.round(whole.ms)} ms (limit ${Math.round(limitMs)})`,
    growth < most.growth ? "" : `twice the size takes ${growth.toFixed(1)} times (limit ${most.growth})`,
  ].filter((text) => text !== "");
}
