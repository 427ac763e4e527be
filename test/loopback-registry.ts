import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** An npm registry on loopback. */
export interface LoopbackRegistry extends AsyncDisposable {
  readonly url: string;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** The folder from which code in `from` loads a package. */
function findPackage(from: string, name: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return undefined;
}

/** Folders of the dependencies of the package in `folder`, as installed in the workspace, by name. */
function directOf(folder: string, isOwn: (name: string) => boolean): [name: string, folder: string][] {
  const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    const target = isOwn(name) ? undefined : findPackage(folder, name);
    return target === undefined ? [] : [[name, target] as [string, string]];
  });
}

/** The dependencies of the packages in `folders`, without those for which `isOwn` is true. */
export const namedPackages = (folders: readonly string[], isOwn: (name: string) => boolean): Map<string, string> =>
  new Map(folders.flatMap((folder) => directOf(folder, isOwn)));

/** Folders of everything that the packages in `folders` need at run time. */
export function neededFolders(folders: readonly string[], isOwn: (name: string) => boolean): Set<string> {
  const found = new Set<string>();
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const [, target] of directOf(folder, isOwn)) {
      if (found.has(target)) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  return found;
}

/** A tarball with a manifest only; not compressed. */
async function packManifest(manifest: object): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "x-manifest-"));
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package/package.json"), JSON.stringify(manifest));
  const { stdout } = await promisify(execFile)("tar", ["-cf", "-", "-C", folder, "package"], { encoding: "buffer" });
  rmSync(folder, { recursive: true });
  return stdout;
}

/**
 * Starts a registry that has, of each of these packages, the version that lies in its folder: its name alone, so that
 * npm places it in no time. What it needs itself is its own affair.
 */
export async function startLoopbackRegistry(packages: ReadonlyMap<string, string>): Promise<LoopbackRegistry> {
  const tarballs = new Map<string, Buffer>();
  const documents = new Map<string, object>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const tarball = tarballs.get(path);
    const document = documents.get(path);
    if (tarball) response.end(tarball);
    else if (document) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(document));
    } else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const [name, folder] of packages) {
    const { version } = readManifest(folder);
    const manifest = { name, version };
    const bytes = await packManifest(manifest);
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const tarball = `tarballs/${tarballs.size}.tgz`;
    tarballs.set(tarball, bytes);
    const versions = { [version]: { ...manifest, dist: { tarball: url + tarball, integrity } } };
    documents.set(name, { name, "dist-tags": { latest: version }, versions });
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
