import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createGzip } from "node:zlib";

import type { Attack } from "../attack.ts";

/** A package whose document, or archive, the registry answers in its own way. Its names begin with that of the row. */
export interface HostileDocument extends Attack {
  /** Answers for any package whose name begins with the id; false for those that it leaves to nobody. */
  answer(name: string, response: ServerResponse, url: string): void;
}

type Manifest = Readonly<Record<string, unknown>>;

const integrity = `sha512-${"A".repeat(86)}==`;
const dist = (url: string, name: string): object => ({ integrity, tarball: `${url}${name}/-/archive.tgz` });

/** A document of one version. */
const documentOf = (name: string, url: string, manifest: Manifest): string =>
  JSON.stringify({
    name,
    "dist-tags": { latest: "1.0.0" },
    versions: { "1.0.0": { name, version: "1.0.0", dist: dist(url, name), ...manifest } },
  });

const json = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { "content-type": "application/json" }).end(text);

const declaring =
  (manifest: (name: string, url: string) => Manifest): HostileDocument["answer"] =>
  (name, response, url) =>
    json(response, documentOf(name, url, manifest(name, url)));

/** Streams a text again and again, so that this process does not hold it. */
async function repeat(response: ServerResponse, text: string, times: number): Promise<void> {
  for (let time = 0; time < times && !response.destroyed; time += 1)
    if (!response.write(text)) await once(response, "drain");
}

const manyVersions: HostileDocument["answer"] = (name, response, url) => {
  const version = (n: number): string =>
    `"1.0.${n}":${JSON.stringify({ name, version: `1.0.${n}`, dist: dist(url, name), description: "x".repeat(300) })}`;
  const versions = Array.from({ length: 100_000 }, (_, n) => version(n)).join();
  json(response, `{"name":"${name}","dist-tags":{"latest":"1.0.99999"},"versions":{${versions}}}`);
};

const ranges: readonly (readonly [id: string, range: string])[] = [
  ["alternatives", "1.x || ".repeat(100_000)],
  ["hyphens", "1 - 2 ".repeat(100_000)],
  ["comparators", ">=1.0.0 ".repeat(100_000)],
  ["spaces", `1${" ".repeat(500_000)}2`],
  ["carets", "^".repeat(500_000)],
  ["prereleases", `1.0.0-${"0.".repeat(250_000)}0`],
  ["digits", "1".repeat(500_000)],
  ["builds", `1.0.0+${"a-".repeat(250_000)}+`],
];

const archive =
  (write: (write: (chunk: Buffer) => Promise<void>) => Promise<void>): HostileDocument["answer"] =>
  (name, response, url) => {
    if (!name.endsWith(".tgz")) return json(response, documentOf(name, url, {}));
    const gzip = createGzip({ level: 1 }).setMaxListeners(0);
    gzip.pipe(response.writeHead(200));
    response.on("close", () => gzip.destroy());
    gzip.on("error", () => undefined);
    void write(async (chunk) => {
      if (!gzip.destroyed && !gzip.write(chunk)) await Promise.race([once(gzip, "drain"), once(gzip, "close")]);
    })
      .then(() => gzip.end())
      .catch(() => undefined);
  };

/** The head of an entry of a tar archive. */
function entryHead(path: string, size: number): Buffer {
  const head = Buffer.alloc(512);
  head.write(path, 0);
  head.write(
    `0000644\0${"0000000\0".repeat(2)}${size.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0        0`,
    100,
  );
  head.write("ustar\x0000", 257);
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return head;
}

type Row = readonly [id: string, answer: HostileDocument["answer"]];

const rows: readonly Row[] = [
  ["versions", manyVersions],
  ["endless", (_name, response) => void repeat(response.writeHead(200), `{"a":"${"x".repeat(65_536)}`, 1e9)],
  ["nested", (_name, response) => json(response, "[".repeat(5_000_000))],
  ["slow", (_name, response) => void response.writeHead(200).write("{")],
  ...ranges.map(([id, range]): Row => [
    `range-of-${id}`,
    declaring((name) => ({ dependencies: { [`${name}-x`]: range } })),
  ]),
  ["itself", declaring((name) => ({ dependencies: { [name]: "1" } }))],
  ["circle", declaring((name) => ({ dependencies: { [name.endsWith("-b") ? name.slice(0, -2) : `${name}-b`]: "1" } }))],
  ["deep", declaring((name) => ({ dependencies: { [`${name}x`]: "1" } }))],
  ["wide", declaring((name) => (name.includes("-d") ? {} : { dependencies: many(100_000, (n) => `${name}-d${n}`) }))],
  ["tree", declaring((name) => ({ dependencies: many(10, (n) => `${name}-${n}`) }))],
  [
    "optional",
    declaring((name) =>
      name.includes("-d")
        ? {}
        : {
            peerDependencies: many(100_000, (n) => `${name}-d${n}`),
            peerDependenciesMeta: many(100_000, (n) => `${name}-d${n}`, { optional: true }),
          },
    ),
  ],
  ["integrity", declaring((name, url) => ({ dist: { ...dist(url, name), integrity: "sha512-".repeat(1_500_000) } }))],
  ["address", declaring((_name, url) => ({ dist: { integrity, tarball: `${url}${"x".repeat(5_000_000)}` } }))],
  ["deprecated", declaring(() => ({ deprecated: "x".repeat(10_000_000) }))],
  ["engines", declaring(() => ({ os: ["x".repeat(5_000_000)] }))],
  [
    "bomb",
    archive(async (write) => {
      await write(entryHead("package/index.js", 4 * 1024 ** 3 - 1));
      for (let mb = 0; mb < 4_096; mb += 1) await write(Buffer.alloc(1024 * 1024));
    }),
  ],
  [
    "entries",
    archive(async (write) => {
      for (let block = 0; block < 1_000; block += 1)
        await write(
          Buffer.concat(Array.from({ length: 1_000 }, (_, n) => entryHead(`package/f${block * 1_000 + n}`, 0))),
        );
      await write(Buffer.alloc(1024));
    }),
  ],
];

function many(count: number, name: (index: number) => string, value: unknown = "1"): Manifest {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), value]));
}

/** Documents and archives of packages that would take very long, or much memory. */
export const hostileDocuments: readonly HostileDocument[] = rows.map(([id, answer]) => ({
  id: `document-${id}`,
  class: "packages",
  promise: "main-thread-free",
  answer,
}));
