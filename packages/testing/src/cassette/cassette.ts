import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { type AnyFunction, callerFrames, fileOfFrames } from "../frames.ts";
import { checkNames } from "../known-names.ts";
import { HarnessError } from "../harness-error.ts";
import type { Answerer } from "../traffic/upstream.ts";
import { record } from "./record.ts";
import { findRecording } from "./recording.ts";
import { replay } from "./replay.ts";
import { createWrittenForm } from "./written-form.ts";

/** `auto` replays a recording that exists and records one otherwise; where `CI` is set it only replays. */
export type CassetteMode = "auto" | "record" | "replay";

export interface CassetteOptions {
  /** Default: `auto`. */
  readonly mode?: CassetteMode;
  /** Further names of headers, query parameters and fields whose values must not be recorded. */
  readonly scrub?: readonly string[];
}

/** `X_CASSETTE` of the environment, else `given`. Throws `HarnessError` when the variable has another value. */
export function chosenMode(given: CassetteMode = "auto", environment: NodeJS.ProcessEnv = process.env): CassetteMode {
  const { X_CASSETTE: wanted, CI: ci = "" } = environment;
  const isCi = ci !== "" && ci !== "false";
  if (wanted === undefined || wanted === "") return given === "auto" && isCi ? "replay" : given;
  if (wanted === "record" || wanted === "replay" || wanted === "auto") return wanted;
  throw new HarnessError(`X_CASSETTE must be record, replay or auto, got "${wanted}".`);
}

/** `__cassettes__/<name>.json` beside the test for a name; a URL or path of a file stays. */
function fileOf(name: string | URL, below: AnyFunction): string {
  if (name instanceof URL || name.startsWith("file:")) return fileURLToPath(name);
  if (name.endsWith(".json")) return resolve(name);
  if (!/^[\w.-]+$/.test(name))
    throw new HarnessError(
      `A cassette is a name of letters, digits, dots and dashes, or a file that ends in .json; got "${name}".`,
    );
  const test = fileOfFrames(callerFrames(below));
  return resolve(test === undefined ? "." : `${test}/..`, "__cassettes__", `${name}.json`);
}

/**
 * Records real exchanges in the first run and replays them afterwards: `routes: cassette("three-pages")`. Secrets are not
 * recorded. The test fails on a request that is not in the recording, and on a recorded one that the component does not
 * make. Throws `HarnessError` for a bad name, an unreadable file, and a missing one in the mode `replay`.
 */
export function cassette(name: string | URL, options: CassetteOptions = {}): Answerer {
  checkNames("option", options, ["mode", "scrub"]);
  const file = fileOf(name, cassette);
  const mode = chosenMode(options.mode);
  const recording = mode === "record" ? undefined : findRecording(file);
  if (!recording && mode === "replay")
    throw new HarnessError(
      `There is no cassette ${file}, and this mode records none. Run the test where CI is not set, then commit the file.`,
    );
  const open = (isRepeated: boolean): Answerer => {
    const form = createWrittenForm(options.scrub, isRepeated);
    return recording ? replay(recording, file, form, isRepeated) : record(file, form, isRepeated);
  };
  let repeated: Answerer | undefined;
  return { ...open(false), repeated: () => (repeated ??= open(true)) };
}
