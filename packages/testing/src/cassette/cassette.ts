import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { type AnyFunction, callerFrames, fileOfFrames } from "../frames.ts";
import { HarnessError } from "../harness-error.ts";
import type { Answerer } from "../traffic/upstream.ts";
import { type CassetteMode, chosenMode } from "./mode.ts";
import { record } from "./record.ts";
import { findRecording } from "./recording.ts";
import { replay } from "./replay.ts";
import { createWrittenForm } from "./written-form.ts";

export interface CassetteOptions {
  readonly mode?: CassetteMode;
  /** Names of headers, query parameters and fields whose values are not recorded, beside those that are known. */
  readonly scrub?: readonly string[];
}

/** A name: `__cassettes__/<name>.json` beside the test; else the file itself. */
function fileOf(name: string | URL, below: AnyFunction): string {
  if (name instanceof URL || name.startsWith("file:")) return fileURLToPath(name);
  if (name.endsWith(".json")) return resolve(name);
  if (!/^[\w.-]+$/.test(name))
    throw new HarnessError(
      `A cassette has a name of letters, digits, dots and dashes, or is a file that ends in .json; got "${name}".`,
    );
  const test = fileOfFrames(callerFrames(below));
  return resolve(test === undefined ? "." : `${test}/..`, "__cassettes__", `${name}.json`);
}

/**
 * Records real exchanges the first time and replays them from then on: `routes: cassette("three-pages")`. Secrets are not
 * recorded. A request that is not in the recording fails the test, and so does a recorded one that is not made.
 */
export function cassette(name: string | URL, options: CassetteOptions = {}): Answerer {
  const file = fileOf(name, cassette);
  const mode = chosenMode(options.mode);
  const recording = mode === "record" ? undefined : findRecording(file);
  if (!recording && mode === "replay")
    throw new HarnessError(
      `There is no cassette ${file}, and none is recorded here. Run the test where CI is not set, then commit the file.`,
    );
  const open = (isRepeated: boolean): Answerer => {
    const form = createWrittenForm(options.scrub, isRepeated);
    return recording ? replay(recording, file, form, isRepeated) : record(file, form, isRepeated);
  };
  let repeated: Answerer | undefined;
  return { ...open(false), repeated: () => (repeated ??= open(true)) };
}
