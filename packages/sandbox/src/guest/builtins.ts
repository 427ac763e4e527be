import { hostOp } from "../ops.ts";
import { cryptoKeyContent } from "./crypto.ts";
import { sendRequest } from "./fetch.ts";
import { loadCode, randomBytes } from "./host.ts";
import { askCrypto, askGenerate, askZlib } from "./library.ts";
import { part, type Parts } from "./parts.ts";

type Require = (specifier: string) => unknown;
/** A CommonJS module as a function of its three names. */
export type ModuleFunction = (module: { exports: unknown }, exports: unknown, require: Require) => void;

/** Host functions that built-ins import from `x:host`. They give components nothing that globals do not. */
const hostModule = { askCrypto, askGenerate, askZlib, cryptoKeyContent, randomBytes, sendRequest };
export type HostModule = typeof hostModule;

const loaded = new Map<string, unknown>();

/** A built-in of Node, `node:<name>`: evaluated at its first use, with one instance per realm. */
export function requireBuiltin(specifier: string): unknown {
  if (loaded.has(specifier)) return loaded.get(specifier);
  const define = loadCode<ModuleFunction | undefined>(hostOp.builtin, specifier);
  if (!define) throw new Error(`Module "${specifier}" is not part of the bundle`);
  const module: { exports: unknown } = { exports: {} };
  define(module, module.exports, (name) => (name === "x:host" ? builtinHost : requireBuiltin(name)));
  loaded.set(specifier, module.exports);
  return module.exports;
}

/** The module `x:host`; `builtin` loads another built-in on demand. */
const builtinHost = {
  ...hostModule,
  builtin: requireBuiltin,
  hasBuiltin: (specifier: string) => loaded.has(specifier),
};

/** Evaluates parts and built-ins ahead of their first use. */
export function preload(names: readonly string[]): void {
  for (const name of names) {
    if (name.startsWith("node:")) requireBuiltin(name);
    else part(name as keyof Parts);
  }
}
