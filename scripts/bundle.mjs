import { fileURLToPath } from "node:url";

import buildGuest from "./build-guest.mjs";
import buildInspector from "./build-inspector.mjs";
import buildPackages from "./build-packages.mjs";

/** `npm run bundle`: makes everything that runs. Also the global setup of the tests, whose processes run the published files. */
export default async function bundle() {
  await Promise.all([buildGuest(), buildInspector()]);
  await buildPackages();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
