import { findBaseImage } from "./base-image.ts";
import { type EngineCode, type EngineFiles, loadEngineCode, readEngineFiles } from "./engine-files.ts";
import type { BaseImage } from "./image.ts";

/** What machines are made from. It can be posted to other threads. */
export interface Engine {
  readonly code: EngineCode;
  /** The image of the prelude, if the build made one. */
  readonly base: BaseImage | undefined;
}

export async function openEngine(files: EngineFiles = readEngineFiles()): Promise<Engine> {
  return { code: await loadEngineCode(files), base: findBaseImage(files) };
}
