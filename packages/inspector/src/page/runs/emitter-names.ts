import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { readAll } from "../api/pages.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

const names = signal<ReadonlyMap<string, string>>(new Map());
const mostNames = 20_000;

/** The names of sources and workflows by their ids, as far as they are loaded. */
export const emitterNames: ReadonlySignal<ReadonlyMap<string, string>> = names;

async function load(): Promise<void> {
  const lists = await Promise.all(
    ["/users/me/sources", "/users/me/workflows"].map((path) => readAll<Named>(path, { include: "id,name" }, mostNames)),
  );
  names.value = new Map(lists.flat().map(({ id, name }) => [id, name]));
}

/** The names of sources and workflows by their ids. */
export function useEmitters(): ReadonlyMap<string, string> {
  useEffect(() => void load().catch(() => undefined), []);
  return names.value;
}

/** What a source or workflow is called; an id stands for a name that is not there yet. */
export function useEmitterNames(): (id: string) => string {
  const known = useEmitters();
  return (id) => known.get(id) ?? id;
}
