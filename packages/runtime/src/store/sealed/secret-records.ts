import type { Paged, User } from "../../model/model.ts";
import type { Change, Store } from "../contract.ts";

const pageSize = 100;

/** Every item of a list that comes in pages. */
async function all<T extends { readonly id: string }>(
  page: (query: { readonly limit: number; readonly after?: string }) => Promise<Paged<T>>,
): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const after = found.at(-1)?.id;
    const { items } = await page({ limit: pageSize, ...(after !== undefined && { after }) });
    if (items.length === 0) return found;
    found.push(...items);
  }
}

async function recordsOf(store: Store, user: User): Promise<Change[]> {
  const sources = await all((page) => store.sources(user.id, page));
  const accounts = await all((page) => store.accounts(user.id, page));
  return [
    { op: "user.put", user },
    ...sources.map((source): Change => ({ op: "source.put", source })),
    ...accounts.map((account): Change => ({ op: "account.put", account })),
  ];
}

/** Changes that write every record with secrets once more. */
export async function secretRecords(store: Store): Promise<Change[]> {
  const changes: Change[] = [];
  for (const user of await store.users()) changes.push(...(await recordsOf(store, user)));
  for (const transition of await store.transitions()) changes.push({ op: "transition.put", transition });
  for (const webhook of await store.allWebhooks()) changes.push({ op: "webhook.put", webhook });
  return changes;
}
