/** The name in lower case, with `-` for every character except a-z and 0-9. */
export const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, "-");

/** `wanted`, or the first of `wanted-2`, `wanted-3`, … that is not taken. */
export function freeSlug(wanted: string, taken: ReadonlySet<string>): string {
  let free = wanted;
  for (let count = 2; taken.has(free); count += 1) free = `${wanted}-${count}`;
  return free;
}
