import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { findInstalled, installedPackages, packedPackage, type StoredPackage } from "./stored-package.ts";

/** An npm registry on loopback, with whole packages. */
export interface WholeRegistry extends AsyncDisposable {
  readonly url: string;
}

interface Contents {
  /** Tarballs of packages, as they are published. */
  readonly tarballs: readonly string[];
  /** Folders of packages whose dependencies it has, too. */
  readonly dependents: readonly string[];
  /** Names of packages that the workspace has in its root, with their dependencies. */
  readonly tools: readonly string[];
  readonly root: string;
}

/** The day on which every version was published: package managers refuse new ones. */
const published = "2020-01-01T00:00:00.000Z";

const digest = (algorithm: string, encoding: "hex" | "base64", bytes: Buffer): string =>
  createHash(algorithm).update(bytes).digest(encoding);

/**
 * The document of a version. Optional packages for other platforms are left out, because the workspace does not have them;
 * everything else is as its author published it.
 */
async function versionDocument(
  { manifest, tarball }: StoredPackage,
  known: ReadonlySet<string>,
  url: string,
): Promise<object> {
  const { devDependencies: _, optionalDependencies = {}, ...rest } = manifest;
  const present = Object.entries(optionalDependencies).filter(([name]) => known.has(name));
  const bytes = await tarball();
  const dist = {
    tarball: url,
    shasum: digest("sha1", "hex", bytes),
    integrity: `sha512-${digest("sha512", "base64", bytes)}`,
  };
  return { ...rest, optionalDependencies: Object.fromEntries(present), dist };
}

/** Starts a registry with the given tarballs, and with all that they need at run time as it is installed in the workspace. */
export async function startWholeRegistry(contents: Contents): Promise<WholeRegistry> {
  const { tarballs, dependents, tools, root } = contents;
  const own = await Promise.all(tarballs.map(packedPackage));
  const ownNames = new Set(own.map(({ manifest }) => manifest.name));
  const begin = [...dependents, ...tools.map((name) => findInstalled(root, name) ?? name)];
  const others = installedPackages(begin, (name) => ownNames.has(name));
  const all = [...own, ...others.filter(({ manifest }) => !ownNames.has(manifest.name))];
  const known = new Set(all.map(({ manifest }) => manifest.name));

  const documents = new Map<string, object>();
  const files = new Map<string, StoredPackage>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "", "http://registry").pathname).slice(1);
    const file = files.get(path);
    const document = documents.get(path);
    if (file)
      file.tarball().then(
        (bytes) => response.end(bytes),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    else
      response
        .writeHead(document ? 200 : 404, { "content-type": "application/json" })
        .end(JSON.stringify(document ?? { error: "not found" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const name of known) {
    const versions: Record<string, object> = {};
    const time: Record<string, string> = {};
    let latest = "";
    for (const stored of all.filter(({ manifest }) => manifest.name === name)) {
      latest = stored.manifest.version;
      const path = `tarballs/${files.size}.tgz`;
      files.set(path, stored);
      versions[latest] = await versionDocument(stored, known, url + path);
      time[latest] = published;
    }
    documents.set(name, { name, "dist-tags": { latest }, versions, time });
    documents.set(`${name}/latest`, versions[latest] ?? {});
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
