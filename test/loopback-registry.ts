import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** An npm registry on loopback that offers exactly what the workspace itself has installed for its packages. */
export interface LoopbackRegistry extends AsyncDisposable {
  readonly url: string;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** The folder from which code in `from` would load a package. */
function findPackage(from: string, name: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(candidate)) return realpathSync(candidate);
  }
  return undefined;
}

/** Folders of everything that the packages in `folders` need at run time. */
function collect(folders: readonly string[], isOwn: (name: string) => boolean): Set<string> {
  const found = new Set<string>();
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { dependencies = {}, optionalDependencies = {} } = readManifest(folder);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const target = isOwn(name) ? undefined : findPackage(folder, name);
      if (target === undefined || found.has(target)) continue;
      found.add(target);
      waiting.push(target);
    }
  }
  return found;
}

/** Equal files are links to one inode here; a tarball of npm holds no links. Not compressed: it does not go far. */
async function pack(folder: string): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(
    "tar",
    ["--hard-dereference", "-cf", "-", "--exclude=./node_modules", "--transform=s,^[.],package,", "-C", folder, "."],
    { encoding: "buffer", maxBuffer: 2 ** 28 },
  );
  return stdout;
}

/** Starts it over the dependencies of the packages in `folders`; packages for which `isOwn` are not offered. */
export async function startLoopbackRegistry(
  folders: readonly string[],
  isOwn: (name: string) => boolean,
): Promise<LoopbackRegistry> {
  const tarballs: Buffer[] = [];
  const versions = new Map<string, Record<string, object>>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    const tarball = /^tarballs\/(\d+)\.tgz$/.exec(path);
    const known = versions.get(path);
    if (tarball) response.end(tarballs[Number(tarball[1])]);
    else if (known) {
      const latest = Object.keys(known).at(-1);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ name: path, "dist-tags": { latest }, versions: known }));
    } else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const folder of collect(folders, isOwn)) {
    const manifest = readManifest(folder);
    const bytes = await pack(folder);
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    // Builds for other platforms are not here, and a registry cannot offer what it does not have.
    const optionalDependencies = Object.fromEntries(
      Object.entries(manifest.optionalDependencies ?? {}).filter(([name]) => findPackage(folder, name) !== undefined),
    );
    const dist = { tarball: `${url}tarballs/${tarballs.length}.tgz`, integrity };
    tarballs.push(bytes);
    versions.set(manifest.name, {
      ...versions.get(manifest.name),
      [manifest.version]: { ...manifest, devDependencies: {}, scripts: {}, optionalDependencies, dist },
    });
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
