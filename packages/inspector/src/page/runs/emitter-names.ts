import { effect, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

import { request } from "../api/client.ts";
import { type Paged, pageSize, readAll } from "../api/pages.ts";
import { session } from "../api/session.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

type Names = ReadonlyMap<string, string>;

const names = signal<Names>(new Map());
let wanted = new Set<string>();
const maxNames = 20_000;
const fields = { include: "id,name" };

// Nobody sees the names of another user.
effect(() => {
  if (session.value) names.value = new Map();
});

const namesOf = (lists: readonly (readonly Named[])[]): (readonly [string, string])[] =>
  lists.flat().map(({ id, name }) => [id, name]);

const readWorkflows = (): Promise<Named[]> => readAll<Named>("/users/me/workflows", fields, maxNames);

/** The names of all sources and workflows by their ids. */
export async function readEmitters(): Promise<Names> {
  const sources = readAll<Named>("/users/me/sources", fields, maxNames);
  return new Map(namesOf(await Promise.all([sources, readWorkflows()])));
}

async function readWanted(): Promise<void> {
  const ids = [...wanted];
  wanted = new Set();
  const sources = ids.filter((id) => id.startsWith("dc_"));
  const reads = ids.some((id) => id.startsWith("p_")) ? [readWorkflows()] : [];
  for (let from = 0; from < sources.length; from += pageSize) {
    const query = { ...fields, ids: sources.slice(from, from + pageSize).join(","), limit: pageSize };
    reads.push(request<Paged<Named>>("GET", "/users/me/sources", { query }).then(({ data }) => [...data]));
  }
  names.value = new Map([...names.value, ...namesOf(await Promise.all(reads))]);
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
