import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = new URL("peers/", import.meta.url);

/** True when the programs to compare with are installed. */
export const hasPeers = (): boolean => existsSync(fileURLToPath(new URL("node_modules", folder)));

const { resolve } = createRequire(new URL("package.json", folder));

/** A package that only this comparison needs: no package of the workspace. */
export const loadPeer = async (name: string): Promise<unknown> =>
  (await import(pathToFileURL(resolve(name)).href)) as unknown;
