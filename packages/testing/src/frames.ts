import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const frame = /^(\s+at (?:.*\()?)([^()\s]+?)(:\d+:\d+\)?)$/;

/** Replaces files in a component's stack, relative to `root`, by their paths: test runners then show the lines. */
export const pathsUnder =
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

/** Frames of a stack as text; computed on call. */
export type Frames = () => string;

/** The frames of the test that called the harness. `below` is the first function that is left out. */
export function callerFrames(below: AnyFunction): Frames {
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, below);
  // Read `stack` late: a test runner then maps each frame to the test's source, which takes time.
  return () => (holder.stack ?? "").split("\n").slice(1).join("\n");
}

/** Puts the frames of the test below an error's own, or in their place when they only show the harness. */
export function withTestFrames(error: unknown, frames: Frames): unknown {
  if (!(error instanceof Error)) return error;
  const head = `${error.name}: ${error.message}`;
  const isOfComponent = error.name.startsWith("ComponentError");
  const own = isOfComponent ? (error.stack ?? "").split("\n").filter((line) => frame.test(line)) : [];
  error.stack = [head, ...own, frames()].join("\n");
  return error;
}

/** The file of the first frame. */
export function fileOfFrames(frames: Frames): string | undefined {
  const file = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^()]*?):\d+:\d+\)?$/m.exec(frames())?.[1];
  return file?.startsWith("file:") === true ? fileURLToPath(file) : file;
}
