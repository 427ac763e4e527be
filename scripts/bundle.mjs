import { fileURLToPath } from "node:url";

import buildInspector from "./build-inspector.mjs";
import buildPackages from "./build-packages.mjs";
import buildRuntime from "./build-runtime.mjs";

/** `npm run bundle`: makes everything that runs. Also the global setup of the tests, whose processes run the published files. */
export default async function bundle() {
  await Promise.all([buildRuntime(), buildInspector()]);
  await buildPackages();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
