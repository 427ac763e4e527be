import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { exportTable } from "./engine-internals.ts";

/** The engine's code as its package has it, a dependency of `quickjs-emscripten`. Only where packages are built. */
export function publishedEngine(): Uint8Array {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve("quickjs-emscripten"));
  return readFileSync(resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
}

/** The engine's code with its table exported. */
export const makeEngine = (): Uint8Array => exportTable(publishedEngine());
