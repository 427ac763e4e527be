import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

type Ranges = Readonly<Record<string, string>>;

/** What a registry tells of a version. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Ranges;
  readonly devDependencies?: Ranges;
  readonly optionalDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** One version of a package. */
export interface StoredPackage {
  readonly manifest: Manifest;
  tarball(): Promise<Buffer>;
}

/** What tar wrote before it ended with 1, or undefined when it did so for another reason than a change of a file's links. */
function linksChanged(error: unknown): { readonly stdout: Buffer } | undefined {
  const { code, stdout, stderr } = error as { code?: unknown; stdout: Buffer; stderr: Buffer };
  const lines = String(stderr).trim().split("\n");
  return code === 1 && lines.every((line) => line.endsWith(": file changed as we read it")) ? { stdout } : undefined;
}

/** Another clone that is installed meanwhile links the same files: tar says that they changed, and their bytes are the same. */
async function tar(...args: readonly string[]): Promise<Buffer> {
  try {
    return (await promisify(execFile)("tar", args, { encoding: "buffer", maxBuffer: 2 ** 28 })).stdout;
  } catch (error) {
    const done = linksChanged(error);
    if (!done) throw error;
    return done.stdout;
  }
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** The folder from which code in `from` loads a package. */
export function findInstalled(from: string, name: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return undefined;
}

/** What npm installs with a package. */
function needsOf(manifest: Manifest): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta: meta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => meta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The packages in these folders and all that they need, as installed in the workspace; nothing for which `isOwn` is true. */
export function installedPackages(folders: readonly string[], isOwn: (name: string) => boolean): StoredPackage[] {
  const found = new Map<string, Manifest>();
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (found.has(folder)) continue;
    const manifest = readManifest(folder);
    found.set(folder, manifest);
    for (const name of needsOf(manifest)) {
      const target = isOwn(name) ? undefined : findInstalled(folder, name);
      if (target !== undefined) waiting.push(target);
    }
  }
  return [...found].map(([folder, manifest]) => ({
    manifest,
    // Equal files are one in the workspace; npm ignores links.
    tarball: () =>
      tar(
        "--use-compress-program=gzip -1n",
        "-cf",
        "-",
        "--hard-dereference",
        "--exclude=./node_modules",
        "--transform=s,^\\.,package,",
        "-C",
        folder,
        ".",
      ),
  }));
}
