import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { createPeerLoader } from "../peer-loader.ts";

const folder = new URL("peers/", import.meta.url);

/** True when the programs to compare with are installed. */
export const hasPeers = (): boolean => existsSync(fileURLToPath(new URL("node_modules", folder)));

/** Loads a module of `bench/rates/peers`. */
export const loadPeer = createPeerLoader(folder).load;
