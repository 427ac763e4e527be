import { readFileSync } from "node:fs";

import { sha256Hex } from "@x/model";
import { builtFile } from "./built-file.ts";
import type { EngineFiles } from "./engine-files.ts";
import type { BaseImage } from "./image.ts";
import { runBytes, sizeOfRuns } from "./runs.ts";

/** The image of a realm with only the prelude; the build creates it to shorten the start. */
const fileUrl = builtFile("base-image.bin");

/** Version of the file's format. */
const format = 6;

/** Identifies the engine and prelude of an image. */
export const baseImageKey = ({ wasmBytes, prelude }: EngineFiles): string =>
  sha256Hex(`${format} ${sha256Hex(wasmBytes)} ${JSON.stringify(prelude)}`);

/** The first line of the file. */
export type BaseImageHead = Pick<BaseImage, "pages" | "addresses"> & {
  readonly key: string;
  readonly runs: readonly number[];
};

/** The stored image; undefined when it is missing or made for another engine or prelude. */
export function findBaseImage(files: EngineFiles): BaseImage | undefined {
  let file: Buffer;
  try {
    file = readFileSync(fileUrl);
  } catch {
    return undefined;
  }
  const cut = file.indexOf("\n");
  const { key, pages, addresses, ...head } = JSON.parse(file.toString("utf8", 0, cut)) as BaseImageHead;
  if (key !== baseImageKey(files)) return undefined;
  const bytes = new Uint8Array(file.subarray(cut + 1)).buffer;
  const runs = Uint32Array.from(head.runs);
  if (bytes.byteLength !== sizeOfRuns(runs)) return undefined;
  return { ...runBytes(bytes, runs), pages, addresses, isStored: true };
}
