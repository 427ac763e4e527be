import type { RegistryEntry, RegistryList } from "./contract.ts";
import { declaredKey, type Entry } from "./entry.ts";
import type { Uses } from "./module-graph.ts";

/** What the list shows of one entry; undefined while its key is unknown. */
function listed(entry: Entry, appsOf: (entry: Entry) => readonly string[]): RegistryEntry | undefined {
  const { candidate, declared, item, problem, isRead } = entry;
  const state = item ? "evaluated" : isRead && problem ? "refused" : "known";
  if (item?.key !== undefined) return { ...item, key: item.key, state, ...(problem && { problem }) };
  const key = declaredKey(entry);
  if (key === undefined) return undefined;
  const { name, version, description, type } = declared;
  const apps = appsOf(entry);
  return {
    file: candidate.shown,
    key,
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(description !== undefined && { description }),
    type: type === "action" ? type : "source",
    ...(apps.length > 0 && { apps }),
    state,
    ...(problem && { problem }),
  };
}

/** The list of a folder: each key once, that of a served component first. */
export function listEntries(entries: Iterable<Entry>, uses: ReadonlyMap<string, Uses>): RegistryList {
  const byKey = new Map<string, RegistryEntry>();
  const progress = { known: 0, evaluated: 0, refused: 0, total: 0 };
  for (const entry of entries) {
    const { candidate, declared, item, problem, isRead } = entry;
    const isComponent = item !== undefined || problem !== undefined || (!isRead && declared.kind !== "helper");
    if (!isComponent && declaredKey(entry) === undefined) continue;
    progress.total += 1;
    if (item) progress.evaluated += 1;
    else if (isRead) progress.refused += 1;
    const found = listed(entry, () => uses.get(candidate.id)?.apps ?? []);
    if (!found) continue;
    progress.known += 1;
    const known = byKey.get(found.key);
    if (!known || (known.state !== "evaluated" && found.state === "evaluated")) byKey.set(found.key, found);
  }
  return { items: [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1)), progress };
}
