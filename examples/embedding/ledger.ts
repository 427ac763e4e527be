import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createRuntime, type EventId, type Runtime, type Source } from "@x/runtime";
import { type App, createApp } from "@x/server";
import type { Emits } from "@x/types";

import type orders from "./orders.ts";

/** The totals of the service, written as one file, so that every order counts exactly once. */
interface Book {
  readonly count: number;
  readonly total: number;
  /** The last event included in the totals. */
  readonly after: EventId;
}

/** The part of a service that accepts orders. */
export interface Ledger {
  /** The endpoint of the source and the REST interface, for the service's own server. */
  readonly app: App;
  /** The URL to which shops post their orders. */
  readonly endpoint: string;
  book(): Book;
  /** Deploys a new version of the source; waiting orders are handled by the old or the new version. */
  reload(): Promise<string>;
  /** Handles all accepted orders, then stops. */
  close(): Promise<void>;
}

const component = join(import.meta.dirname, "orders.ts");
const nothing: Book = { count: 0, total: 0, after: "0-0" };

/** The existing source, updated to the current code, or a new one. */
async function deployOrders(runtime: Runtime): Promise<Source> {
  const { items } = await runtime.sources({ limit: 100 });
  const known = items.find(({ source }) => source.name === "orders");
  const view = known
    ? await runtime.update(known.source.id, { file: component })
    : await runtime.deploy({ file: component, name: "orders" });
  return view.source;
}

/** Opens the ledger in this folder. `publicUrl` is the public URL of the path at which `app` is mounted. */
export async function openLedger(folder: string, publicUrl: string): Promise<Ledger> {
  await mkdir(folder, { recursive: true });
  const runtime = await createRuntime({ data: join(folder, "x"), publicUrl, limits: { retention: 10_000 } });
  const source = await deployOrders(runtime);
  const file = join(folder, "book.json");
  let book = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Book,
    () => nothing,
  );

  async function enter(id: EventId, { total }: Emits<typeof orders>): Promise<void> {
    const next = { count: book.count + 1, total: book.total + total, after: id };
    await writeFile(`${file}.new`, JSON.stringify(next));
    await rename(`${file}.new`, file);
    book = next;
  }

  async function read(): Promise<void> {
    const onGap = (): never => {
      throw new Error("More orders than are kept came since the book was written");
    };
    const events = runtime.events<Emits<typeof orders>>({ sourceId: source.id, after: book.after, onGap });
    for await (const { event, payload } of events) await enter(event.id, payload);
  }
  const reading = read();
  await runtime.start();
  const app = createApp(runtime, { mountPath: "/events" });

  return {
    app,
    endpoint: source.endpoints["http"] ?? "",
    book: () => book,
    reload: async () => (await runtime.update(source.id, { file: component })).component.shape.version,
    async close() {
      await runtime.close();
      // The iteration ends with the runtime, after all waiting events.
      await reading;
    },
  };
}
