import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const source = fileURLToPath(new URL("../packages/runtime/src/guest/main.ts", import.meta.url));
const target = fileURLToPath(new URL("../packages/runtime/dist/guest-prelude.js", import.meta.url));

/** Bundles the guest's code to one expression: `(dispatch) => enter`. Also the global set-up of the tests. */
export default async function buildGuest() {
  const result = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "guest",
    target: "es2022",
    minify: true,
    charset: "utf8",
    footer: { js: "return guest.enter(dispatch)})" },
    banner: { js: "(function(dispatch){" },
  });
  await mkdir(fileURLToPath(new URL("../packages/runtime/dist/", import.meta.url)), { recursive: true });
  const text = result.outputFiles[0].text;
  if ((await readFile(target, "utf8").catch(() => undefined)) === text) return;
  // In one step: a sandbox that starts meanwhile reads the old text or the new one.
  const draft = `${target}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, target);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildGuest();
