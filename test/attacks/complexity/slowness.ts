/** Processor time of the fixed work, in ms, on the machine for which the limits are written: an AMD EPYC of 2 shared cores. */
const referenceMs = 56;

/** Fixed work of the kinds that the inputs cause: texts, maps, JSON, expressions, long numbers. */
function work(): number {
  const seen = new Map<string, unknown>();
  for (let n = 0; n < 12_000; n++) {
    const text = JSON.stringify({ id: `item-${n}`, values: [n, n + 1], body: "x".repeat(200) });
    seen.set(text.replaceAll(/x+/g, `${n}`), JSON.parse(text));
  }
  const digits = "9".repeat(990);
  for (let n = 0; n < 2_000; n++) seen.set(`${n}`, BigInt(`${digits}${n}`) > 1n);
  return seen.size;
}

/** What the fixed work takes of this thread's processor now, in ms. */
export function fixedWorkMs(): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** How much slower this machine is than that of the limits, by measurements of the fixed work; never below 1. */
export const slownessOf = (measuredMs: readonly number[]): number => Math.max(1, Math.min(...measuredMs) / referenceMs);

const samples = 4;

/** The same, by measurements of its own. */
export const slowness = (): number => slownessOf(Array.from({ length: samples }, fixedWorkMs));
