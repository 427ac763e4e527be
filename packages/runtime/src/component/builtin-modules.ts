import { readFileSync } from "node:fs";

/** Namespace of the guest's Node built-ins, each as the build prepared it. */
export const builtinNamespace = "builtin";

/** What built-ins import of the prelude; stays in the bundle, where only the guest's own code can answer it. */
export const hostModule = "x:host";

const folder = new URL("../../dist/builtins/", import.meta.url);

/** Text of a built-in named as Node names it without `node:`; undefined when components have none. */
export function findBuiltin(name: string): string | undefined {
  if (!/^\w+(?:\/\w+)*$/.test(name)) return undefined;
  try {
    return readFileSync(new URL(`${name}.js`, folder), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Does a source map's name mean a built-in, alone or in a step? Frames of it are left out of stacks. */
export const isBuiltinSource = (source: string): boolean => /^(?:.*\/)?node:[\w/]+$/.test(source);
