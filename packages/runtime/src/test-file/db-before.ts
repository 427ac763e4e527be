import type { Json, RecordedDbChange } from "@x/model";

/** Most characters of a db that a test begins with, beside the values that its run changed. */
const maxChars = 16_384;

/**
 * The db before a run: the present one, with the changes of the run and of the later ones undone. `changes` are those of each
 * run, the newest first; the last ones are of the run itself. Values that no record has are left out.
 */
export function dbBefore(
  present: ReadonlyMap<string, string>,
  changes: readonly (readonly RecordedDbChange[])[],
): { [key: string]: Json } {
  const db = new Map(present);
  for (const own of changes)
    for (const { key, before } of own) {
      if (before === null) db.delete(key);
      else db.set(key, before);
    }
  const changed = new Set((changes.at(-1) ?? []).map(({ key }) => key));
  const chars = [...db].reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const kept = chars <= maxChars ? [...db] : [...db].filter(([key]) => changed.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, JSON.parse(value) as Json]));
}
