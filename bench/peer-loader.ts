import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** Packages that only a comparison needs: installed in a folder of their own, not in the workspace. */
export interface PeerLoader {
  /** The path of a module. */
  path(name: string): string;
  load(name: string): Promise<unknown>;
}

export function createPeerLoader(folder: URL): PeerLoader {
  const { resolve } = createRequire(new URL("package.json", folder));
  return {
    path: (name) => resolve(name),
    load: async (name) => (await import(pathToFileURL(resolve(name)).href)) as unknown,
  };
}
