import { hostOp } from "../sandbox/ops.ts";
import { loadCode } from "./host.ts";
import { hostModule } from "./host-module.ts";
import { part, type Parts } from "./parts.ts";

type Require = (specifier: string) => unknown;
/** A module as a function of its three names. */
export type ModuleFunction = (module: { exports: unknown }, exports: unknown, require: Require) => void;

const loaded = new Map<string, unknown>();

/** A built-in of Node, `node:<name>`, evaluated when it is asked for the first time in this realm: all have one instance. */
export function requireBuiltin(specifier: string): unknown {
  if (loaded.has(specifier)) return loaded.get(specifier);
  const define = loadCode<ModuleFunction | undefined>(hostOp.builtin, specifier);
  if (!define) throw new Error(`Module "${specifier}" is not part of the bundle`);
  const module: { exports: unknown } = { exports: {} };
  define(module, module.exports, (name) => (name === "x:host" ? lent : requireBuiltin(name)));
  loaded.set(specifier, module.exports);
  return module.exports;
}

/** What built-ins import as `x:host`; by `builtin` they get each other when they need them, and no sooner. */
const lent = { ...hostModule, builtin: requireBuiltin, hasBuiltin: (specifier: string) => loaded.has(specifier) };

/** Evaluates parts and built-ins ahead of their first use. */
export function preload(names: readonly string[]): void {
  for (const name of names) {
    if (name.startsWith("node:")) requireBuiltin(name);
    else part(name as keyof Parts);
  }
}
