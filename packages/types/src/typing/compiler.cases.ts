import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** A version of the TypeScript compiler. */
export interface Compiler {
  readonly name: string;
  readonly tsc: string;
  readonly flags: readonly string[];
}

/** An error of a compiler. */
export interface Found {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const require = createRequire(import.meta.url);

function compiler(name: string, manifest: string, ...flags: string[]): Compiler {
  return { name, tsc: join(dirname(manifest), "bin", "tsc"), flags };
}

/** The supported compilers. The last one runs with one checker, so that shared types are counted once. */
export const compilers: readonly Compiler[] = [
  compiler("TypeScript 5.9", require.resolve("typescript-5.9/package.json")),
  compiler("TypeScript 6", require.resolve("typescript-6/package.json")),
  compiler("TypeScript 7", require.resolve("typescript/package.json"), "--singleThreaded"),
];

/** The output of a compiler for the project in a directory. */
export async function compile({ tsc, flags }: Compiler, directory: string, ...more: string[]): Promise<string> {
  const child = spawn(process.execPath, [tsc, "-p", directory, "--pretty", "false", ...flags, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [, signal]] = await Promise.all([text(child.stdout), once(child, "close")]);
  if (signal !== null) throw new Error(`${tsc} was stopped by ${String(signal)}`);
  return output;
}

/** Writes the published declarations. Resolves with the path of their entry. */
export async function emitDeclarations(directory: string): Promise<string> {
  const newest = compilers.at(-1);
  if (!newest) throw new Error("There is no compiler");
  const sources = fileURLToPath(new URL("../..", import.meta.url));
  const emitted = ["--declaration", "--emitDeclarationOnly", "--composite", "false", "--incremental", "false"];
  await compile(newest, sources, ...emitted, "--outDir", directory);
  return join(directory, "index.d.ts");
}

/** The errors in a compiler's output; indented lines belong to the message before them. */
export function parseErrors(output: string): Found[] {
  const errors: Found[] = [];
  for (const block of output.split(/\n(?=\S)/)) {
    const [, file, line, column, message] = /^(.+?)\((\d+),(\d+)\): error (TS\d+: [^]*)$/.exec(block) ?? [];
    if (file === undefined || message === undefined) continue;
    errors.push({ file, line: Number(line), column: Number(column), message });
  }
  return errors;
}
