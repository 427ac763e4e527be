import { effect, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import { readByIds, readPages } from "../api/pages.ts";
import { session } from "../api/session.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

type Names = ReadonlyMap<string, string>;

const names = signal<Names>(new Map());
let wanted = new Set<string>();
const paths = ["/users/me/sources", "/users/me/workflows"] as const;
const fields = { include: "id,name" };
const maxFound = 20;
/** A search reads on for a name until so many are read. */
const maxRead = 1_000;

// Nobody sees the names of another user.
effect(() => {
  if (session.value) names.value = new Map();
});

const namesOf = (lists: readonly (readonly Named[])[]): (readonly [string, string])[] =>
  lists.flat().map(({ id, name }) => [id, name]);

/** Those of one kind that a search finds: some, and the one with this very name, which may be among much newer ones. */
async function findNamed(path: string, q: string, signal: AbortSignal): Promise<readonly Named[]> {
  const found: Named[] = [];
  for await (const { data } of readPages<Named>(path, { ...fields, q }, signal)) {
    found.push(...data);
    const same = data.find(({ name, id }) => name === q || id === q);
    if (same) return [same, ...found.filter(({ id }) => id !== same.id).slice(0, maxFound)];
    if (q === "" || found.length >= maxRead) break;
  }
  return found.slice(0, maxFound);
}

/** Sources and workflows that a search finds, by their ids: some of each. */
export async function findEmitters(q: string, signal: AbortSignal): Promise<Names> {
  return new Map(namesOf(await Promise.all(paths.map((path) => findNamed(path, q, signal)))));
}

async function readWanted(): Promise<void> {
  const ids = [...wanted];
  wanted = new Set();
  const [sources, workflows] = paths;
  const lists = await Promise.all([
    readByIds<Named>(
      sources,
      ids.filter((id) => id.startsWith("dc_")),
      fields,
    ),
    readByIds<Named>(
      workflows,
      ids.filter((id) => id.startsWith("p_")),
      fields,
    ),
  ]);
  names.value = new Map([...names.value, ...namesOf(lists)]);
}

/** What a source or workflow is called, of those that are asked for; an id stands for a name that is not there yet. */
export function useEmitterNames(): (id: string) => string {
  const asked = useMemo(() => new Set<string>(), []);
  const known = names.value;
  return (id) => {
    if (!asked.has(id)) {
      if (wanted.size === 0) setTimeout(() => void readWanted().catch(() => undefined));
      asked.add(id);
      wanted.add(id);
    }
    return known.get(id) ?? id;
  };
}
