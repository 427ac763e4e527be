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

/**
 * The document of a version. Optional packages for other platforms are left out, because the workspace does not have them;
 * everything else is as its author published it.
 */
function versionDocument({ manifest }: StoredPackage, known: ReadonlySet<string>, tarball: string): object {
  const { devDependencies: _, optionalDependencies = {}, ...published } = manifest;
  const present = Object.entries(optionalDependencies).filter(([name]) => known.has(name));
  return { ...published, optionalDependencies: Object.fromEntries(present), dist: { tarball } };
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
    let latest = "";
    for (const stored of all.filter(({ manifest }) => manifest.name === name)) {
      latest = stored.manifest.version;
      const path = `tarballs/${files.size}.tgz`;
      files.set(path, stored);
      versions[latest] = versionDocument(stored, known, url + path);
    }
    documents.set(name, { name, "dist-tags": { latest }, versions });
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
