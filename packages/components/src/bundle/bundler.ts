import { resolve } from "node:path";

import { XError, listPackages } from "@x/model";
import { longestWait, startBundleChild, type BuildEnd, type BundleChild } from "./bundle-child.ts";
import { createJobQueue } from "./job-queue.ts";
import type { BuildCode, BuildPackages, BuildRequest, BundleProblem, DeclareRequest } from "./bundle-messages.ts";
import { checkBundler } from "./check-bundler.ts";
import { inputName } from "./input-name.ts";
import { bundleWithPackages } from "./bundle-packages.ts";
import { openBuildCache } from "./build-cache.ts";
import { probedPaths } from "./source-set.ts";
import type { Declared } from "../declared/contract.ts";
import type { Builder, BuildOptions, Bundled, Bundler, LocalCode } from "../contract.ts";

export interface BundlerOptions {
  /** Maximum CPU time of one build in ms, the start of the process included. */
  readonly timeoutMs: number;
  /** Maximum memory of the bundling process and esbuild together, in bytes. */
  readonly memoryBytes: number;
  /** Maximum size of a source file in bytes. */
  readonly codeBytes: number;
  /** Maximum size of a bundle with packages in bytes; default: none. */
  readonly bundleBytes?: number;
  /** URL of a module that instruments the author's files. */
  readonly instrument?: string | undefined;
  /** Folder of the build cache; default: none. */
  readonly buildsFolder?: string | undefined;
}

/** A process that uses more than this share of its memory limit is not reused. */
const maxReusedShare = 0.5;

const isProcessEnd = ({ kind }: BuildEnd): boolean =>
  kind === "timeout" || kind === "out_of_cpu_time" || kind === "out_of_memory" || kind === "died";

/** Bundles one component at a time, without a cache. */
export const createBundler = (options: BundlerOptions): Bundler => bundleWithPackages(createBuilder(options));

/** Builds one component at a time in a process that starts with the first build and is reused. */
export function createBuilder(
  options: BundlerOptions,
  start: (options: BundlerOptions) => BundleChild = startBundleChild,
): Builder {
  const { buildsFolder, instrument } = options;
  // Instrumented code is not cached: it also depends on the instrumenting module.
  const cache = buildsFolder === undefined || instrument !== undefined ? undefined : openBuildCache(buildsFolder);
  let child: BundleChild | undefined;
  let closed = false;
  const jobs = createJobQueue();

  /** Undefined where no process may be started: what `checkBundler` says then is why. */
  const startOrDie = (): BundleChild | undefined => {
    try {
      return start(options);
    } catch {
      return undefined;
    }
  };
  const buildOnce = async (request: BuildRequest | DeclareRequest): Promise<{ end: BuildEnd; fresh: boolean }> => {
    if (closed) throw new XError("closed", []);
    const fresh = !child?.alive;
    if (!child?.alive) child = startOrDie();
    if (!child) return { end: { kind: "died" }, fresh };
    const end = await child.ask(request, undefined, "declare" in request ? undefined : allowanceOf(request));
    if (closed) throw new XError("closed", []);
    // Ends the process to free memory that a large build left behind.
    const isLarge = end.kind === "built" && end.isLarge === true;
    if (child.alive && (isLarge || (child.findMemory() ?? 0) > options.memoryBytes * maxReusedShare)) {
      void child.kill();
      child = undefined;
    }
    return { end, fresh };
  };
  const buildNext = async (request: BuildRequest | DeclareRequest): Promise<BuildEnd> => {
    const { end, fresh } = await buildOnce(request);
    // A reused process may have too little memory left: retries in a fresh one.
    const last = isProcessEnd(end) && !fresh ? (await buildOnce(request)).end : end;
    if (last.kind === "died" || last.kind === "broken") await checkBundler();
    return last;
  };
  async function declare(files: readonly string[]): Promise<readonly Declared[]> {
    const end = await jobs.take(() => buildNext({ declare: files }), false);
    if (end.kind === "declared") return end.declared;
    // One of them was too much for the process.
    if (files.length <= 1) return files.map(() => ({ kind: "unknown", imports: [] }));
    const half = Math.ceil(files.length / 2);
    return [...(await declare(files.slice(0, half))), ...(await declare(files.slice(half)))];
  }
  const inTurn = (request: BuildRequest, packages: BuildOptions | undefined): Promise<BuildEnd> =>
    jobs.take(() => buildNext(request), packages?.inBackground ?? false);
  async function buildUnlessCached(request: BuildRequest, packages: BuildOptions | undefined): Promise<BuildEnd> {
    const known = cache?.find(request);
    if (known) return known;
    const end = await inTurn(request, packages);
    if (end.kind === "built") cache?.keep(request, end);
    return end;
  }

  return {
    async declare(files) {
      return declare(files.map((file) => resolve(file)));
    },
    async build(input, packages) {
      const name = inputName(input);
      if ("code" in input && Buffer.byteLength(input.code) > options.codeBytes) {
        const got = Buffer.byteLength(input.code);
        throw bundleFailed(name, [
          { path: "", message: `the code must be at most ${options.codeBytes} bytes, got ${got}` },
        ]);
      }
      const request = { ...buildRequest(input, options), packages: buildPackages(packages) };
      const end = await buildUnlessCached(request, packages);
      if (end.kind === "needed") {
        const { needed, files, manifests, tsconfig, hint } = end;
        const seen = { files, manifests, ...(tsconfig && { tsconfig }) };
        return { needed, seen, ...(hint !== undefined && { hint }) };
      }
      return built(end, name, allowed(options, request), packages);
    },
    async buildFetched({ entry, texts, links }, packages) {
      const request = { entry, texts: [...texts], links: [...links], packages: buildPackages(packages) };
      const end = await inTurn(request, packages);
      if (end.kind === "needed") return { needed: end.needed };
      if (end.kind === "missing") return { missing: end.missing };
      return built(end, entry, allowed(options, request), packages);
    },
    warm(isChanging = false) {
      if (!closed && !child?.alive && (isChanging || cache?.isEmpty !== false)) child = startOrDie();
    },
    async close() {
      closed = true;
      await child?.kill();
      await jobs.ended();
    },
  };
}

/** Advice for an author with too much code. */
const smaller =
  "import a sub-path of a large package, or a package for the one part of the service that is needed, or call its HTTP API";

/** Factors for builds with packages, which have more code. */
const packageAllowance = { time: 3, memory: 3 };
const allowanceOf = (request: BuildRequest): typeof packageAllowance | undefined =>
  request.packages && ("file" in request || request.packages.installed) ? packageAllowance : undefined;

/** The limits of a build. */
function allowed(options: BundlerOptions, request: BuildRequest): BundlerOptions {
  const { time, memory } = allowanceOf(request) ?? { time: 1, memory: 1 };
  return { ...options, timeoutMs: options.timeoutMs * time, memoryBytes: options.memoryBytes * memory };
}

/** Makes paths absolute: the bundling process has another working folder. */
function buildRequest(input: LocalCode, { codeBytes, instrument }: BundlerOptions): BuildCode {
  if ("code" in input) return { code: input.code, codeBytes };
  if ("entry" in input) return { entry: input.entry, sent: Object.entries(input.files), codeBytes };
  return {
    file: resolve(input.file),
    root: input.root === undefined ? undefined : resolve(input.root),
    codeBytes,
    instrument,
  };
}

/** The part of an installation that a build needs. */
function buildPackages(packages: BuildOptions | undefined): BuildPackages | undefined {
  if (!packages) return undefined;
  const { conditions, installed } = packages;
  if (!installed) return { conditions };
  const { folder, key, lock } = installed;
  return { conditions, installed: { folder, key, requests: lock.requests } };
}

function built(end: BuildEnd, name: string, options: BundlerOptions, packages: BuildOptions | undefined): Bundled {
  if (end.kind !== "built") throw buildError(end, name, options, packages !== undefined);
  const { kind: _, isLarge: __, ofProject, absent, basis, links, manifests, ...rest } = end;
  const packageFiles = basis?.queries
    .filter(([question, , answer]) => question === "read" && answer !== null)
    .map(([, path]) => path);
  const paths = probedPaths(rest.files, links);
  const bundled = {
    ...rest,
    ...(ofProject.length > 0 && packageFiles && { packageFiles }),
    ...(paths.length > 0 && { places: paths }),
    ...(manifests.length > 0 && { manifests }),
  };
  const { lock, asked: requests = packages?.asked ?? [] } = packages?.installed ?? {};
  const all = [...ofProject, ...(lock ? listPackages(lock, requests) : [])];
  if (all.length === 0) return bundled;
  const bytes = Buffer.byteLength(bundled.bundle);
  const { bundleBytes = Number.POSITIVE_INFINITY } = options;
  if (bytes > bundleBytes) {
    const asked = all.flatMap(({ requested }) => (requested === undefined ? [] : [requested])).join(", ");
    const problem = `the bundle has ${bytes} bytes, and at most ${bundleBytes} are allowed; ${smaller}`;
    throw new XError("package_too_large", [asked, name, problem], {
      details: { errors: [{ path: "", message: problem }], package: asked, chain: [name, asked], reason: "too_large" },
    });
  }
  return { ...bundled, packages: all, ...(lock && { packageLock: lock }), ...(absent.length > 0 && { absent }) };
}

function buildError(
  end: Exclude<BuildEnd, { kind: "built" }>,
  name: string,
  options: BundlerOptions,
  mayHavePackages: boolean,
): XError {
  if (end.kind === "broken") {
    return new XError("internal", [], { cause: new Error(`The bundler does not work: ${end.message}`) });
  }
  if (end.kind === "failed") {
    const { unresolved, problems, hint } = end;
    const hinted = hint === undefined ? {} : { hint };
    if (!unresolved) return bundleFailed(end.name, problems, hinted);
    const { package: about, importer, reason, why = "unresolved" } = unresolved;
    const details = { errors: problems, ...unresolved, ...hinted };
    return new XError(`package_${why}`, [about, importer, reason], { details });
  }
  const reasons = {
    declared: "the bundler answered another request",
    needed: "its packages are not installed",
    missing: "it imports a file that is not there",
    timeout: `bundling took longer than ${options.timeoutMs * longestWait} ms and was stopped`,
    out_of_cpu_time: `bundling took longer than ${options.timeoutMs} ms of processor time and was stopped`,
    out_of_memory: `bundling needed more memory than ${options.memoryBytes} bytes and was stopped`,
    died: "the bundler could not take this code: it ran out of stack or memory",
  };
  const isTooMuch = mayHavePackages && ["timeout", "out_of_cpu_time", "out_of_memory"].includes(end.kind);
  const hint = isTooMuch ? `; where packages are large, ${smaller}` : "";
  const problems = [{ path: "", message: reasons[end.kind] + hint }];
  return bundleFailed(name, problems, isProcessEnd(end) ? { reason: end.kind } : {});
}

function bundleFailed(
  name: string,
  problems: readonly BundleProblem[],
  details: { readonly reason?: string; readonly hint?: string } = {},
): XError<"bundle_failed"> {
  const [first, ...others] = problems;
  const more = others.length === 0 ? "" : `\n(and ${others.length} more)`;
  const text = `${first?.message ?? "unknown problem"}${first?.frame === undefined ? "" : `\n${first.frame}`}${more}`;
  return new XError("bundle_failed", [name, text], { details: { errors: problems, ...details } });
}
