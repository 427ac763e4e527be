import { fileURLToPath } from "node:url";

import { buildComponents, copyBuiltins } from "./build-components.mjs";
import { buildPackage } from "./build-packages.mjs";
import { buildSandbox } from "./build-sandbox.mjs";
import { buildThreads } from "./build-threads.mjs";
import { Bundles } from "./bundles.mjs";
import { copyChanged, writeChanged } from "./changed-files.mjs";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));
const pathOf = (name) => `${packages}runtime/${name}`;

/** Packages whose code is published inside the runtime, with the files that their code reads. */
const inside = ["sandbox", "store", "components"];
const isRead = (path) => !/^(?:builtins|bundled|types)\/|\.(?:d\.ts|txt|tsbuildinfo)$/.test(path);

/** Builds all of the runtime, and of the packages that are published inside it, but their declarations. */
export default async function buildRuntime() {
  const bundles = new Bundles();
  const [sandbox] = await Promise.all([
    buildSandbox(),
    buildThreads("store", bundles),
    buildComponents(bundles),
    buildPackage("runtime", bundles),
  ]);
  bundles.include(sandbox);
  await copyBuiltins();
  for (const name of inside) await copyChanged(`${packages}${name}/dist`, pathOf("dist"), { wanted: isRead });
  await copyChanged(`${packages}sandbox/dist/builtins`, pathOf("dist/builtins"), { prune: true });
  await writeChanged(pathOf("dist/THIRD-PARTY-LICENSES.txt"), await bundles.licenses());
}
