import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const frame = /^(\s+at (?:.*\()?)([^()\s]+?)(:\d+:\d+\)?)$/;

/** Names the files of a component's stack by where they are, so that test runners show their lines. */
export const framesUnder =
  (root: string | undefined) =>
  (stack: string): string =>
    root === undefined
      ? stack
      : stack
          .split("\n")
          .map((line) => {
            const [, head, file, tail] = frame.exec(line) ?? [];
            const path = file === undefined ? "" : resolve(root, file);
            return file !== undefined && existsSync(path) ? `${head}${path}${tail}` : line;
          })
          .join("\n");

/** A function of the harness that tests call. */
export type AnyFunction = (...given: never[]) => unknown;

/** Lines of a stack. */
export type Frames = () => string;

/** Where in the test the harness was called: what fails later says so. `below` is the first function left out. */
export function callerFrames(below: AnyFunction): Frames {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, below);
  // Written out when somebody asks: a test runner maps each line of it to the test's source.
  return () => (holder.stack ?? "").split("\n").slice(1).join("\n");
}

/** Adds the place in the test below an error's own frames, or in place of those that only show the harness. */
export function placeInTest(error: unknown, frames: Frames): unknown {
  if (!(error instanceof Error)) return error;
  const head = `${error.name}: ${error.message}`;
  const isComponents = error.name.startsWith("ComponentError");
  const own = isComponents ? (error.stack ?? "").split("\n").filter((line) => frame.test(line)) : [];
  error.stack = [head, ...own, frames()].join("\n");
  return error;
}

/** The file of the first frame. */
export function fileOfFrames(frames: Frames): string | undefined {
  const place = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^()]*?):\d+:\d+\)?$/m.exec(frames())?.[1];
  return place?.startsWith("file:") === true ? fileURLToPath(place) : place;
}
