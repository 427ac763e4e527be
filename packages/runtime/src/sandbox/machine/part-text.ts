import { readFileSync } from "node:fs";

import { hostOp } from "../ops.ts";
import { builtFile } from "../built-file.ts";

/** Code of the guest that is evaluated at its first use, by name: what few components need costs the others no memory. */
export type GuestParts = Readonly<Record<string, string>>;

const builtins = builtFile("builtins/");
const texts = new Map<string, string>();

/** Code of a built-in, `node:<name>`, as the build made it: read at its first use. Undefined: components have none. */
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

/** Code that the guest asks for by name: of a part or of a built-in, as the number of the call says. */
export function partOf(parts: GuestParts, op: number, name: string): string | undefined {
  if (op === hostOp.builtin) return builtinText(name);
  return Object.hasOwn(parts, name) ? parts[name] : undefined;
}
