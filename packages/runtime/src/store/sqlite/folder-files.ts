import { join } from "node:path";

/** Where a data folder has its key, unless one is given. */
export const keyFileOf = (folder: string): string => join(folder, "x.key");

/** The key that takes the place of that one, until it has done so. */
export const nextKeyFileOf = (folder: string): string => join(folder, "x.key.next");
