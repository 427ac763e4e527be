import { createRequire } from "node:module";

interface Manifest {
  readonly version: string;
}

/** The version of x, from its package.json: loading the runtime for it would take long. */
export const readVersion = (): string => (createRequire(import.meta.url)("../package.json") as Manifest).version;
