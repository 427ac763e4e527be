import { build as esbuild, type BuildOptions, type Message, type Plugin } from "esbuild";

import { sha256Hex } from "../ids.ts";
import type { BuildReply, BuildRequest, UnresolvedImport } from "./bundle-messages.ts";
import { bundleProblem } from "./bundle-problem.ts";
import { parserDetail } from "./computed-import.ts";
import { virtualModules } from "./import-policy.ts";
import type { MissingFile } from "./contract.ts";
import { fetchedSource } from "./fetched-source.ts";
import { componentNamespace, type Noted, sourcePlugin } from "./source-plugin.ts";
import { fileSource, textSource, type Refused, type SourceSet } from "./source-set.ts";

type Attempt =
  | { readonly inputs: ReadonlyMap<string, string>; readonly bundle: string; readonly sourceMap: string }
  | { readonly missing: readonly MissingFile[] }
  | { readonly errors: readonly Message[] };

/** Builds one component; `workingDirectory` is where esbuild starts, nothing is read from there. Rejects when esbuild itself fails. */
export async function build(request: BuildRequest, workingDirectory: string): Promise<BuildReply> {
  const sources = sourceOf(request);
  if ("refused" in sources) {
    const name = "file" in request ? request.file : "";
    return { kind: "failed", name, problems: [{ path: "", message: sources.refused }] };
  }
  const attempt = await buildAsJavaScriptOrTypeScript(sources, workingDirectory);
  if ("errors" in attempt) {
    const unresolved = attempt.errors.some(isParserMessage) ? undefined : findUnresolved(attempt.errors);
    return {
      kind: "failed",
      name: sources.entry,
      ...(unresolved && { unresolved }),
      problems: attempt.errors.map((message) => bundleProblem(message, `${componentNamespace}:`)),
    };
  }
  if ("missing" in attempt) return { kind: "missing", missing: attempt.missing };
  return {
    kind: "built",
    bundle: attempt.bundle,
    sourceMap: attempt.sourceMap,
    code: attempt.inputs.get(sources.entry) ?? "",
    contentHash: contentHash(attempt.inputs),
    files: [sources.entry, ...[...attempt.inputs.keys()].filter((name) => name !== sources.entry).sort()],
  };
}

function sourceOf(request: BuildRequest): SourceSet | Refused {
  if ("code" in request) return textSource(request.code, request.codeBytes);
  if ("file" in request) return fileSource(request.file, request.root, request.codeBytes);
  return fetchedSource({ entry: request.entry, texts: new Map(request.texts), links: new Map(request.links) });
}

/** JavaScript unless only TypeScript can read it: the same text may mean different things in the two. */
async function buildAsJavaScriptOrTypeScript(sources: SourceSet, workingDirectory: string): Promise<Attempt> {
  const javascript = await attemptBuild(sources, "js", workingDirectory);
  if (!("errors" in javascript) || !javascript.errors.some(isParserMessage)) return javascript;
  const typescript = await attemptBuild(sources, "ts", workingDirectory);
  return "errors" in typescript && typescript.errors.some(isParserMessage) ? javascript : typescript;
}

async function attemptBuild(sources: SourceSet, loader: "js" | "ts", workingDirectory: string): Promise<Attempt> {
  const noted: Noted = { inputs: new Map(), missing: new Map() };
  try {
    const { outputFiles } = await esbuild(options(sourcePlugin(sources, loader, noted), workingDirectory));
    if (noted.missing.size > 0) return { missing: [...noted.missing.values()] };
    const { inputs } = noted;
    const [sourceMap = "", bundle = ""] = [".map", ".js"].map(
      (end) => outputFiles.find(({ path }) => path.endsWith(end))?.text,
    );
    return { inputs, bundle, sourceMap: authorSourceMap(sourceMap, inputs) };
  } catch (error) {
    if (isFailure(error)) return { errors: error.errors };
    throw error;
  }
}

const options = (plugin: Plugin, workingDirectory: string): BuildOptions & { write: false } => ({
  entryPoints: ["component"],
  plugins: [plugin],
  bundle: true,
  write: false,
  outfile: "bundle.js",
  absWorkingDir: workingDirectory,
  format: "cjs",
  platform: "browser",
  target: "es2022",
  keepNames: true,
  charset: "utf8",
  legalComments: "none",
  sourcemap: "external",
  sourcesContent: false,
  define: { "process.env.NODE_ENV": '"production"' },
  tsconfigRaw: {},
  nodePaths: [],
  logLevel: "silent",
  logLimit: 20,
  // What would be left for run time can only fail there.
  logOverride: { "unsupported-dynamic-import": "error", "unsupported-require-call": "error" },
});

/** Messages of the plugin stand for what it refused; all others are esbuild's own reading of the code. */
const isParserMessage = ({ pluginName, detail }: Message): boolean => pluginName === "" || detail === parserDetail;

const isFailure = (error: unknown): error is { errors: Message[] } =>
  error instanceof Error && "errors" in error && Array.isArray(error.errors) && error.errors.length > 0;

const findUnresolved = (errors: readonly Message[]): UnresolvedImport | undefined =>
  errors.map(({ detail }) => detail as UnresolvedImport | undefined).find((detail) => detail?.package !== undefined);

/** SHA-256 over the code alone when there is one file, else over names and contents. */
function contentHash(inputs: ReadonlyMap<string, string>): string {
  const [first, ...others] = inputs.values();
  if (first !== undefined && others.length === 0) return sha256Hex(first);
  const names = [...inputs.keys()].sort();
  return sha256Hex(names.map((name) => `${JSON.stringify(name)} ${sha256Hex(inputs.get(name) ?? "")}\n`).join(""));
}

/** The map with sources named as the author's; one that this build did not read cannot be in it. */
function authorSourceMap(text: string, inputs: ReadonlyMap<string, string>): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) => source.slice(source.indexOf(":") + 1));
  const stranger = sources.find((source) => !inputs.has(source) && !virtualModules.has(source));
  if (stranger !== undefined) throw new Error(`The source map names "${stranger}", which is no input.`);
  return JSON.stringify({ ...map, sources });
}
