import { basename, resolve } from "node:path";

import { XError } from "../errors.ts";
import { startBundleChild, type BuildEnd, type BundleChild } from "./bundle-child.ts";
import type { BuildRequest, BundleProblem } from "./bundle-messages.ts";
import type { Bundled, Bundler, LocalCode } from "./contract.ts";

export interface BundlerOptions {
  /** Longest time of one build, the start of the process included. */
  readonly timeoutMs: number;
  /** Most memory of the bundling process and esbuild together. */
  readonly memoryBytes: number;
  /** Largest source file. */
  readonly codeBytes: number;
}

/** Bundles one component at a time in a process that starts with the first build and is kept for the next. */
export function createBundler(options: BundlerOptions): Bundler {
  let child: BundleChild | undefined;
  let closed = false;
  let tail: Promise<unknown> = Promise.resolve();

  const buildOnce = async (request: BuildRequest): Promise<{ end: BuildEnd; fresh: boolean }> => {
    const fresh = !child?.alive;
    if (!child?.alive) child = startBundleChild(options);
    return { end: await child.build(request), fresh };
  };
  const buildInTurn = async (request: BuildRequest): Promise<BuildEnd> => {
    if (closed) throw new XError("closed", []);
    const { end, fresh } = await buildOnce(request);
    if (closed) throw new XError("closed", []);
    // A kept process may have been dying already: only a fresh one tells something about the code.
    return end.kind === "died" && !fresh ? (await buildOnce(request)).end : end;
  };
  const inTurn = (request: BuildRequest): Promise<BuildEnd> => {
    const turn = tail.then(() => buildInTurn(request));
    tail = turn.catch(() => {});
    return turn;
  };

  return {
    async bundle(input) {
      const name = inputName(input);
      if ("code" in input && Buffer.byteLength(input.code) > options.codeBytes) {
        const got = Buffer.byteLength(input.code);
        throw bundleFailed(name, [
          { path: "", message: `the code must be at most ${options.codeBytes} bytes, got ${got}` },
        ]);
      }
      return built(await inTurn(buildRequest(input, options)), name, options);
    },
    async bundleFetched({ entry, texts, links }) {
      const end = await inTurn({ entry, texts: [...texts], links: [...links] });
      return end.kind === "missing" ? { missing: end.missing } : built(end, entry, options);
    },
    warm() {
      if (!closed && !child?.alive) child = startBundleChild(options);
    },
    async close() {
      closed = true;
      await child?.kill();
      await tail;
    },
  };
}

/** What messages call code that has not said its name yet. */
export const inputName = (input: LocalCode): string => ("code" in input ? "component.js" : basename(input.file));

/** Paths become absolute here: the building process has a working folder of its own. */
function buildRequest(input: LocalCode, { codeBytes }: BundlerOptions): BuildRequest {
  if ("code" in input) return { code: input.code, codeBytes };
  return { file: resolve(input.file), root: input.root === undefined ? undefined : resolve(input.root), codeBytes };
}

function built(end: BuildEnd, name: string, options: BundlerOptions): Bundled {
  if (end.kind !== "built") throw buildError(end, name, options);
  const { kind: _, ...bundled } = end;
  return bundled;
}

function buildError(end: Exclude<BuildEnd, { kind: "built" }>, name: string, options: BundlerOptions): XError {
  if (end.kind === "broken") {
    return new XError("internal", [], { cause: new Error(`The bundler does not work: ${end.message}`) });
  }
  if (end.kind === "failed") {
    const { unresolved, problems } = end;
    if (!unresolved) return bundleFailed(end.name, problems);
    return new XError("package_unresolved", [unresolved.package, unresolved.importer, unresolved.reason], {
      details: { errors: problems, ...unresolved },
    });
  }
  const reasons = {
    missing: "it imports a file that is not there",
    timeout: `bundling took longer than ${options.timeoutMs} ms and was stopped`,
    out_of_memory: `bundling needed more memory than ${options.memoryBytes} bytes and was stopped`,
    died: "the bundler could not take this code: it ran out of stack or memory",
  };
  return bundleFailed(name, [{ path: "", message: reasons[end.kind] }]);
}

function bundleFailed(name: string, problems: readonly BundleProblem[]): XError<"bundle_failed"> {
  const [first, ...others] = problems;
  const more = others.length === 0 ? "" : `\n(and ${others.length} more)`;
  const text = `${first?.message ?? "unknown problem"}${first?.frame === undefined ? "" : `\n${first.frame}`}${more}`;
  return new XError("bundle_failed", [name, text], { details: { errors: problems } });
}
