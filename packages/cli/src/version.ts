import { createRequire } from "node:module";

/** This release, from the package itself: the runtime knows it too, but takes long to load. */
export const readVersion = (): string =>
  (createRequire(import.meta.url)("../package.json") as { readonly version: string }).version;
