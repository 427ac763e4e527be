import { readFileSync } from "node:fs";

import { sha256Hex } from "@x/model";
import { builtFile } from "./built-file.ts";
import { type EngineFiles, loadEngineCode } from "./engine-files.ts";
import { createMachineLoader, initialPages, type MachineLoader } from "./quickjs-machine.ts";
import { type BaseImage, captureImage } from "./image.ts";
import { runBytes, sizeOfRuns } from "./runs.ts";

/** The image of a realm with only the prelude; the build creates it to shorten the start. */
const fileUrl = builtFile("base-image.bin");

/** Version of the file's format. */
const format = 6;

/** Identifies the engine and prelude of an image. */
const keyOf = ({ wasmBytes, prelude }: EngineFiles): string =>
  sha256Hex(`${format} ${sha256Hex(wasmBytes)} ${JSON.stringify(prelude)}`);

/** Evaluates the prelude: the source of the stored image, and the fallback without it. */
export async function bootBaseImage(loader: MachineLoader): Promise<BaseImage> {
  const machine = await loader.create(initialPages);
  machine.boot();
  return { ...captureImage(machine), isStored: false };
}

type Head = Pick<BaseImage, "pages" | "addresses"> & { readonly key: string; readonly runs: readonly number[] };

/** The content of the file: one line of JSON, then the bytes. */
export async function makeBaseImageFile(files: EngineFiles): Promise<Uint8Array> {
  const loader = await createMachineLoader(await loadEngineCode(files));
  const { runs, bytes, pages, addresses } = await bootBaseImage(loader);
  const head = JSON.stringify({ key: keyOf(files), runs: [...runs], pages, addresses });
  return Buffer.concat([Buffer.from(`${head}\n`), new Uint8Array(bytes)]);
}

/** The stored image; undefined when it is missing or made for another engine or prelude. */
export function findBaseImage(files: EngineFiles): BaseImage | undefined {
  let file: Buffer;
  try {
    file = readFileSync(fileUrl);
  } catch {
    return undefined;
  }
  const cut = file.indexOf("\n");
  const { key, pages, addresses, ...head } = JSON.parse(file.toString("utf8", 0, cut)) as Head;
  if (key !== keyOf(files)) return undefined;
  const bytes = new Uint8Array(file.subarray(cut + 1)).buffer;
  const runs = Uint32Array.from(head.runs);
  if (bytes.byteLength !== sizeOfRuns(runs)) return undefined;
  return { ...runBytes(bytes, runs), pages, addresses, isStored: true };
}
