import { once } from "node:events";
import { mkdir } from "node:fs/promises";

import pacote from "pacote";
import { extract, type ReadEntry } from "tar";

import type { LockedPackage } from "@x/model";
import type { NpmOptions } from "./npm-options.ts";

/** Files to unpack: those that can be bundled, and those that show that a package is native. */
const unpackedFiles = /(?:\.(?:[cm]?js|json|node|wasm)|(?:^|\/)[^./]+|binding\.gyp)$/i;

/** Counts what packages take. Each function throws `too_large` beyond the limits of the component. */
export interface PackageBudget {
  /** Bytes of an archive, compressed. */
  takeArchive(bytes: number): void;
  /** Bytes of one unpacked file. */
  takeFile(bytes: number): void;
}

async function unpackStream(
  stream: AsyncIterable<Buffer>,
  folder: string,
  { takeArchive, takeFile }: PackageBudget,
): Promise<number> {
  const unpacking = extract({
    cwd: folder,
    strip: 1,
    noMtime: true,
    preserveOwner: false,
    fmode: 0o644,
    dmode: 0o755,
    maxDecompressionRatio: 200,
    filter: (name, entry) => {
      // In an archive, `entry` is always a `ReadEntry`.
      const { type, size } = entry as ReadEntry;
      if (type !== "File" && type !== "OldFile" && type !== "ContiguousFile") return false;
      if (!unpackedFiles.test(name)) return false;
      takeFile(size);
      return true;
    },
  });
  const unpacked = once(unpacking, "close");
  // A stream error rejects the loop below; `unpacked` is awaited only after it. More errors may follow.
  unpacked.catch(() => undefined);
  unpacking.on("error", () => undefined);
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    takeArchive(chunk.length);
    if (!unpacking.write(chunk)) await Promise.race([once(unpacking, "drain"), unpacked]);
  }
  unpacking.end();
  await unpacked;
  return bytes;
}

/**
 * Fetches a package, from the cache if possible, checks its integrity, and unpacks into `folder` what a bundle can have.
 * Resolves with the bytes of the archive.
 */
export async function unpackPackage(
  name: string,
  { version, resolved, integrity }: LockedPackage,
  {
    folder,
    options,
    budget,
  }: { readonly folder: string; readonly options: NpmOptions; readonly budget: PackageBudget },
): Promise<number> {
  await mkdir(folder, { recursive: true });
  return pacote.tarball.stream(
    `${name}@${version}`,
    (stream) => unpackStream(stream as AsyncIterable<Buffer>, folder, budget),
    { ...options, ...(resolved !== undefined && { resolved }), ...(integrity !== undefined && { integrity }) },
  );
}
