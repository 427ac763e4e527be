import type { CachedSource } from "../invocation/lane/source-cache.ts";
import type { ExecutionDetail, Json } from "@x/model";
import type { Store } from "@x/store";
import { dbBefore } from "../test-file/db-before.ts";

/** The data stores that a source is configured with. */
const configuredNames = ({ source, component }: Pick<CachedSource, "source" | "component">): string[] =>
  component.shape.props.flatMap((prop) => {
    const value = prop.type === "data_store" ? (source.configuredProps[prop.name] ?? prop.default) : undefined;
    return typeof value === "string" ? value : [];
  });

/**
 * The data stores of a run before it: those with keys, with what the run and later ones of its source changed undone, by
 * `records`, the newest first. Undefined: only what the run itself, by `own`, has changed is known.
 */
export async function dataStoresBefore(
  ran: Pick<CachedSource, "source" | "component">,
  own: ExecutionDetail,
  records: readonly ExecutionDetail[] | undefined,
  store: Pick<Store, "dataStoreValues">,
): Promise<{ readonly [name: string]: { readonly [key: string]: Json } }> {
  const changesIn = ({ dataStores = [] }: ExecutionDetail, name: string) =>
    dataStores.filter((change) => change.name === name);
  const names = new Set([...configuredNames(ran), ...(own.dataStores ?? []).map(({ name }) => name)]);
  const found = await Promise.all(
    [...names].map(async (name) => {
      const stored = records ? await store.dataStoreValues(ran.source.userId, name) : [];
      const present = new Map(stored.map(({ key, value }) => [key, value]));
      const changes = (records ?? [own]).map((record) => changesIn(record, name));
      return [name, dbBefore(present, changes)] as const;
    }),
  );
  return Object.fromEntries(found.filter(([, values]) => Object.keys(values).length > 0));
}
