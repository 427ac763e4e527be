import { createRequire } from "node:module";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

const readManifest = (): Manifest => createRequire(import.meta.url)("../package.json") as Manifest;

/** This release, from the package itself: the runtime knows it too, but takes long to load. */
export const readVersion = (): string => readManifest().version;

/** The versions of Node that x runs on. */
export const readNodeRange = (): string => readManifest().engines.node;
