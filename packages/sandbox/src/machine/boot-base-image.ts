import { type BaseImageHead, baseImageKey } from "./base-image.ts";
import { type EngineFiles, loadEngineCode } from "./engine-files.ts";
import { type BaseImage, captureImage } from "./image.ts";
import { createMachineLoader, initialPages, type MachineLoader } from "./quickjs-machine.ts";

/** Evaluates the prelude: the source of the stored image, and the fallback without it. */
export async function bootBaseImage(loader: MachineLoader): Promise<BaseImage> {
  const machine = await loader.create(initialPages);
  machine.boot();
  return { ...captureImage(machine), isStored: false };
}

/** The content of the file: one line of JSON, then the bytes. */
export async function makeBaseImageFile(files: EngineFiles): Promise<Uint8Array> {
  const loader = await createMachineLoader(await loadEngineCode(files));
  const { runs, bytes, pages, addresses } = await bootBaseImage(loader);
  const head: BaseImageHead = { key: baseImageKey(files), runs: [...runs], pages, addresses };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), new Uint8Array(bytes)]);
}
