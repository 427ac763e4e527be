import { readFileSync } from "node:fs";

import { sha256Hex } from "../../process/sha256.ts";
import {
  createMachineLoader,
  type EngineFiles,
  initialPages,
  loadEngineCode,
  type MachineLoader,
} from "./quickjs-machine.ts";
import { type BaseImage, captureImage, restoreImage } from "./image.ts";
import { builtFile } from "../built-file.ts";

/** The image of a realm in which nothing but the prelude was evaluated, made by the build so that a start need not. */
const fileUrl = builtFile("base-image.bin");

/** Of what the file holds. */
const format = 4;

/** An image fits exactly one engine and one prelude. */
const keyOf = ({ wasmBytes, prelude }: EngineFiles): string =>
  sha256Hex(`${format} ${sha256Hex(wasmBytes)} ${prelude}`);

/** Evaluates the prelude: the fallback, and what the stored image is made from. */
export async function bootBaseImage(loader: MachineLoader): Promise<BaseImage> {
  const machine = await loader.create(initialPages);
  machine.boot();
  const image = captureImage(machine);
  const probe = await loader.create(initialPages);
  restoreImage(probe, image);
  return { ...image, heapEndAt: probe.findHeapEnd(), isStored: false };
}

/** Content of the file: one line of JSON, then the pages. */
export async function makeBaseImageFile(files: EngineFiles): Promise<Uint8Array> {
  const loader = await createMachineLoader(await loadEngineCode(files));
  const { runs, own: _same, bytes, isStored: _not, ...rest } = await bootBaseImage(loader);
  const head = JSON.stringify({ key: keyOf(files), runs: [...runs], ...rest });
  return Buffer.concat([Buffer.from(`${head}\n`), new Uint8Array(bytes)]);
}

/** The stored image; undefined when there is none for this engine and prelude. */
export function findBaseImage(files: EngineFiles): BaseImage | undefined {
  let file: Buffer;
  try {
    file = readFileSync(fileUrl);
  } catch {
    return undefined;
  }
  const cut = file.indexOf("\n");
  const {
    key,
    runs: given,
    ...rest
  } = JSON.parse(file.toString("utf8", 0, cut)) as Omit<BaseImage, "bytes" | "runs" | "own" | "isStored"> & {
    key: string;
    runs: number[];
  };
  if (key !== keyOf(files)) return undefined;
  const bytes = new Uint8Array(file.subarray(cut + 1)).buffer;
  const wanted = given.reduce((size, value, index) => (index % 2 ? size + value : size), 0);
  const runs = Uint32Array.from(given);
  return bytes.byteLength === wanted ? { ...rest, bytes, runs, own: runs, isStored: true } : undefined;
}
