/** The name in lower case with every character but a-z and 0-9 as one `-` (G60). */
export const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, "-");

/** `wanted`, or the first of `wanted-2`, `wanted-3`, … that is not taken (R035, G60). */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let free = wanted;
  for (let count = 2; taken.has(free); count += 1) free = `${wanted}-${count}`;
  return free;
}
