import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { type OddEntry, packTarball } from "./tarball.cases.ts";

type Files = Readonly<Record<string, string>>;
interface Version {
  readonly manifest: { readonly [field: string]: unknown };
  readonly tarball: Buffer;
}

/** An npm registry on loopback whose packages are created in the test. */
export interface TestRegistry extends AsyncDisposable {
  readonly url: string;
  /** `METHOD path` of every request. */
  readonly requests: string[];
  /** The newest version becomes `latest`. */
  publish(name: string, version: string, files: Files | string, manifest?: object, odd?: readonly OddEntry[]): void;
  /** Serves another archive than the listed one. */
  tamper(name: string, version: string, files: Files): void;
  /** Handles a request instead of the registry when it returns true. */
  intercept(answer: (request: IncomingMessage, response: ServerResponse) => boolean): void;
  close(): Promise<void>;
}

export async function startTestRegistry(): Promise<TestRegistry> {
  const packages = new Map<string, Map<string, Version>>();
  const requests: string[] = [];
  let intercepted: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;

  function packument(name: string, versions: ReadonlyMap<string, Version>): object {
    return {
      name,
      "dist-tags": { latest: [...versions.keys()].at(-1) },
      versions: Object.fromEntries(
        [...versions].map(([version, { manifest, tarball }]) => {
          const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
          const address = `${url}${name}/-/${name.split("/").at(-1) ?? name}-${version}.tgz`;
          return [version, { dist: { integrity, tarball: address }, ...manifest, name, version }];
        }),
      ),
    };
  }

  function answer(path: string, response: ServerResponse): void {
    const [, name = "", version] = /^\/(.+?)(?:\/-\/.*-(\d+\.\d+\.\d+.*)\.tgz)?$/.exec(path) ?? [];
    const versions = packages.get(name);
    if (!versions) response.writeHead(404).end("{}");
    else if (version === undefined)
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(packument(name, versions)));
    else response.writeHead(200).end(tampered.get(`${name}@${version}`) ?? versions.get(version)?.tarball);
  }

  const tampered = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(`${request.method} ${path}`);
    if (!intercepted(request, response)) answer(path, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  return {
    url,
    requests,
    publish(name, version, files, manifest = {}, odd = []) {
      const versions = packages.get(name) ?? new Map<string, Version>();
      packages.set(name, versions);
      const all = typeof files === "string" ? { "index.js": files } : files;
      const whole = { ...all, "package.json": JSON.stringify({ name, version, ...manifest }) };
      versions.set(version, { manifest: { ...manifest }, tarball: packTarball(whole, odd) });
    },
    tamper(name, version, files) {
      tampered.set(`${name}@${version}`, packTarball(files));
    },
    intercept(given) {
      intercepted = given;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
