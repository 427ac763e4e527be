import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { findInstalled, installedPackages, type StoredPackage } from "./stored-package.ts";

/** An npm registry on loopback, with whole packages; `npm publish` adds to it. */
export interface WholeRegistry extends AsyncDisposable {
  readonly url: string;
}

interface Contents {
  /** Folders of packages whose dependencies it has. */
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
  has: (name: string) => boolean,
  url: string,
): Promise<object> {
  const { devDependencies: _, optionalDependencies = {}, ...rest } = manifest;
  const present = Object.entries(optionalDependencies).filter(([name]) => has(name));
  const bytes = await tarball();
  const dist = {
    tarball: url,
    shasum: digest("sha1", "hex", bytes),
    integrity: `sha512-${digest("sha512", "base64", bytes)}`,
  };
  return { ...rest, optionalDependencies: Object.fromEntries(present), dist };
}

/** What `npm publish` sends. */
interface Publication {
  readonly versions: { readonly [version: string]: StoredPackage["manifest"] };
  readonly _attachments: { readonly [file: string]: { readonly data: string } };
}

async function readPublication(request: IncomingMessage): Promise<StoredPackage> {
  const { versions, _attachments: files } = JSON.parse(await text(request)) as Publication;
  const [[manifest], [file]] = [Object.values(versions), Object.values(files)];
  if (!manifest || !file) throw new Error("npm published no version.");
  const bytes = Buffer.from(file.data, "base64");
  return { manifest, tarball: () => Promise.resolve(bytes) };
}

/** What a registry answers with. */
class Shelf {
  readonly #documents = new Map<string, object>();
  readonly #packages = new Map<string, StoredPackage[]>();
  readonly #tarballs: StoredPackage[] = [];
  #url = "";

  async fill(url: string, packages: readonly StoredPackage[]): Promise<void> {
    this.#url = url;
    for (const each of packages) this.#keep(each);
    for (const name of this.#packages.keys()) await this.#describe(name);
  }

  async add(stored: StoredPackage): Promise<void> {
    this.#keep(stored);
    await this.#describe(stored.manifest.name);
  }

  document(path: string): object | undefined {
    return this.#documents.get(path);
  }

  tarball(path: string): StoredPackage | undefined {
    return path.startsWith("tarballs/") ? this.#tarballs[parseInt(path.slice("tarballs/".length))] : undefined;
  }

  #keep(stored: StoredPackage): void {
    this.#tarballs.push(stored);
    const { name } = stored.manifest;
    this.#packages.set(name, [...(this.#packages.get(name) ?? []), stored]);
  }

  async #describe(name: string): Promise<void> {
    const versions: Record<string, object> = {};
    const time: Record<string, string> = {};
    let latest = "";
    for (const stored of this.#packages.get(name) ?? []) {
      latest = stored.manifest.version;
      const url = `${this.#url}tarballs/${this.#tarballs.indexOf(stored)}.tgz`;
      versions[latest] = await versionDocument(stored, (each) => this.#packages.has(each), url);
      time[latest] = published;
    }
    this.#documents.set(name, { name, "dist-tags": { latest }, versions, time });
    this.#documents.set(`${name}/latest`, versions[latest] ?? {});
  }
}

/** Starts a registry with all that the packages of the workspace need at run time, as it is installed, and with none of them. */
export async function startWholeRegistry(contents: Contents): Promise<WholeRegistry> {
  const { dependents, tools, root } = contents;
  const begin = [...dependents, ...tools.map((name) => findInstalled(root, name) ?? name)];
  const isOwn = (name: string): boolean => name.startsWith("@x/");
  const others = installedPackages(begin, isOwn).filter(({ manifest }) => !isOwn(manifest.name));
  const shelf = new Shelf();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(new URL(request.url ?? "", "http://registry").pathname).slice(1);
    if (request.method === "PUT") {
      await shelf.add(await readPublication(request));
      response.writeHead(201, { "content-type": "application/json" }).end("{}");
      return;
    }
    const tarball = shelf.tarball(path);
    if (tarball) {
      response.end(await tarball.tarball());
      return;
    }
    const document = shelf.document(path);
    response
      .writeHead(document ? 200 : 404, { "content-type": "application/json" })
      .end(JSON.stringify(document ?? { error: "not found" }));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await shelf.fill(url, others);
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
