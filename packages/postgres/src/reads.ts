/** The methods of a store that only read. */
export type { StoreReads as Reads } from "@x/runtime/store";
