import { XError } from "../model/errors.ts";
import type { Catalog } from "./catalog.ts";

/** What is still to be read. */
interface Unread {
  mayHave(key: string): Promise<void>;
  readonly total: number;
  readonly left: number;
}

const stillRead = (key: string, why: string): XError =>
  new XError("not_found", ["component", key, why], { details: { reason: "registry_is_read" } });

/**
 * The id of the component with this key, or why there is none; waits only for what may have it. `unread`: what is still to be
 * read; "listing" while that is not known.
 */
export async function findKey(
  key: string,
  catalog: Catalog,
  unread: Unread | "listing" | undefined,
): Promise<string | undefined> {
  if (unread !== "listing" && catalog.idOf(key) === undefined) await unread?.mayHave(key);
  const id = catalog.idOf(key);
  if (id !== undefined) return id;
  const failure = catalog.failureOf(key);
  if (failure) throw failure;
  if (unread === "listing") throw stillRead(key, "the folders of the registry are still being listed");
  if (!unread || unread.left === 0) return undefined;
  throw stillRead(key, `the registry is still being read, ${unread.total - unread.left} of ${unread.total} files`);
}
