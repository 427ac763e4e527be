import type { Store } from "../contract.ts";

/** The store under test, fresh for each test. */
export type GetStore = () => Store;
