import type { Page, Paged, UserRuntime } from "@x/runtime";

import { type EventSample, readEventSchema } from "../event-schema.ts";
import type { DescribedUser } from "./document.ts";
import type { DescribedEmitter } from "./emitters.ts";

/** Further ones are left out; further schemas are those of any value. */
const most = { resources: 1_000, subscriptions: 2_000, schemaChars: 2 * 1024 * 1024 };
const pageSize = 100;
const sample: EventSample = { limit: 20, wholeBytes: 16 * 1024, bytes: 64 * 1024 };

/** The newest items of a list. */
async function readList<Item>(
  read: (page: Page) => Promise<Paged<Item>>,
  idOf: (item: Item) => string,
): Promise<Item[]> {
  const found: Item[] = [];
  while (found.length < most.resources) {
    const last = found.at(-1);
    const { items } = await read({ limit: pageSize, ...(last && { after: idOf(last) }) });
    found.push(...items);
    if (items.length < pageSize) break;
  }
  return found;
}

async function readSources(runtime: UserRuntime): Promise<DescribedEmitter[]> {
  const sources = await readList(
    (page) => runtime.sources(page),
    ({ source }) => source.id,
  );
  let left = most.schemaChars;
  const described: DescribedEmitter[] = [];
  for (const view of sources) {
    const { id, name } = view.source;
    const { schema } = left > 0 ? await readEventSchema(runtime, view, sample) : { schema: {} };
    left -= JSON.stringify(schema).length;
    described.push({ id, name, schema: left > 0 ? schema : {} });
  }
  return described;
}

/** Reads what a user has that sends events. */
export async function readUserEvents(runtime: UserRuntime): Promise<DescribedUser> {
  const { user } = await runtime.user();
  const workflows = await readList(
    (page) => runtime.workflows(page),
    ({ id }) => id,
  );
  return {
    username: user.username,
    emitters: [...(await readSources(runtime)), ...workflows.map(({ id, name }) => ({ id, name, schema: {} }))],
    webhooks: await readList(
      (page) => runtime.webhooks(page),
      ({ id }) => id,
    ),
    subscriptions: (await runtime.subscriptions()).slice(0, most.subscriptions),
  };
}
