import type * as Rest from "@x/client";
import type { DataStoreSize, DbEntry } from "@x/runtime";

import { anyJson, record, type Schema, seconds, secondsOrNull, text } from "./shapes.ts";
import { viewBy } from "./view.ts";

/** Schemas of dbs and data stores, by name. */
export const dataSchemas: Readonly<Record<"DbEntry" | "DataStore" | "DbValue", Schema>> = {
  DbEntry: {
    ...record({
      key: text("1 to 512 bytes."),
      value: anyJson,
      updated_at: secondsOrNull("Epoch seconds; null when the store does not record it."),
    }),
    examples: [{ key: "cursor", value: { page: 4 }, updated_at: 1_795_200_360 }],
  },
  DataStore: {
    ...record({
      name: text("The name that sources are configured with."),
      keys: { type: "integer", description: "How many keys it has." },
      bytes: { type: "integer", description: "All keys and values together." },
      updated_at: { ...seconds, description: "When a key was last set, in epoch seconds." },
    }),
    examples: [{ name: "customers", keys: 12, bytes: 840, updated_at: 1_795_200_360 }],
  },
  DbValue: {
    ...record({ key: text("1 to 512 bytes."), value: anyJson }),
    examples: [{ key: "cursor", value: { page: 4 } }],
  },
};

export const viewDbEntry: (entry: DbEntry) => Rest.DbEntry = viewBy<Rest.DbEntry>(dataSchemas.DbEntry);

export const viewDataStore: (store: DataStoreSize) => Rest.DataStore = viewBy<Rest.DataStore>(dataSchemas.DataStore);
