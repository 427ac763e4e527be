// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";

export interface DataStore {
  /** The name that sources are configured with. */
  readonly name: string;
  /** How many keys it has. */
  readonly keys: number;
  /** All keys and values together. */
  readonly bytes: number;
  /** When a key was last set, in epoch seconds. */
  readonly updated_at: number;
}

export interface DbEntry {
  /** 1 to 512 bytes. */
  readonly key: string;
  /** Any JSON value. */
  readonly value: Json;
  /** Epoch seconds; null when the store does not record it. */
  readonly updated_at: number | null;
}

export interface DbValue {
  /** 1 to 512 bytes. */
  readonly key: string;
  /** Any JSON value. */
  readonly value: Json;
}
