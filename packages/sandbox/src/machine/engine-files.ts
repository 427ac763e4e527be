import { accessSync, readFileSync } from "node:fs";

import { hostOp } from "../ops.ts";
import { builtFile } from "./built-file.ts";
import { wasm, type WasmModule } from "./wasm.ts";

/** Code of the guest that is evaluated at its first use, by name. */
export type GuestParts = Readonly<Record<string, string>>;

/**
 * The guest's modules in their order, each a function's text. Each is called with the list to which it adds its exports, and
 * with `dispatch`; the last one returns `enter`.
 */
export type GuestPrelude = readonly string[];

/** The compiled engine and the guest's code; it can be posted to other threads. */
export interface EngineCode {
  readonly wasm: WasmModule;
  readonly prelude: GuestPrelude;
  readonly parts: GuestParts;
}

export interface EngineFiles {
  readonly wasmBytes: Uint8Array;
  readonly prelude: GuestPrelude;
  readonly parts: GuestParts;
}

/** Throws what the system says when the engine is not there, as in a program that was bundled with this package. */
export const requireEngineFiles = (): void => accessSync(builtFile("engine.wasm"));

export function readEngineFiles(): EngineFiles {
  return {
    wasmBytes: readFileSync(builtFile("engine.wasm")),
    prelude: JSON.parse(readFileSync(builtFile("guest-prelude.json"), "utf8")) as GuestPrelude,
    parts: JSON.parse(readFileSync(builtFile("guest-parts.json"), "utf8")) as GuestParts,
  };
}

/** Compiles the engine. */
export async function loadEngineCode(files: EngineFiles = readEngineFiles()): Promise<EngineCode> {
  const { wasmBytes, prelude, parts } = files;
  return { wasm: await wasm.compile(wasmBytes), prelude, parts };
}

const builtins = builtFile("builtins/");
const texts = new Map<string, string>();

/** The code of a built-in, `node:<name>`, read at its first use; undefined when components have no such built-in. */
export function builtinText(specifier: string): string | undefined {
  const known = texts.get(specifier);
  if (known !== undefined) return known;
  const name = /^node:(\w+(?:\/\w+)*)$/.exec(specifier)?.[1];
  if (name === undefined) return undefined;
  try {
    const text = readFileSync(new URL(`${name}.js`, builtins), "utf8");
    texts.set(specifier, text);
    return text;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The code of a part or built-in; `op` is the host call that asks for it. */
export function partOf(parts: GuestParts, op: number, name: string): string | undefined {
  if (op === hostOp.builtin) return builtinText(name);
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}
