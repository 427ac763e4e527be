import { relative } from "node:path";

import { systemClock } from "@x/runtime";

import { paint, someNames } from "../terminal/terminal-text.ts";
import { readKeys } from "../dev/keys.ts";
import { lineStart } from "../terminal/event-line.ts";
import { exitCodeOf, exitCodeOfResult } from "../exit-code.ts";
import { withFailedLine } from "../terminal/code-frame.ts";
import { failureJson, failureText } from "../terminal/failure.ts";
import type { SingleRunOptions } from "../run/run-target.ts";
import { resultJson, resultText } from "../run/result-text.ts";
import { stopSignal } from "../stop-signal.ts";
import { inLine, jsonText, safeText } from "../terminal/visible.ts";
import { type DiffLine, lineDiff } from "./line-diff.ts";
import { type Attempt, rerun } from "./rerun.ts";

/** Ignores the time and memory of a run: they differ each time. */
const withoutCost = (line: string): string => line.replace(/ {2}\(\d+ ms, CPU .*\)$/, "");

const colours = { "-": "red", "+": "green" } as const;
const diffText = ({ mark, text }: DiffLine): string =>
  mark === " " ? `  ${text}` : paint(colours[mark], `${mark} ${text}`);

const linesOf = (attempt: Attempt, root: string): string[] =>
  (attempt.ok ? resultText(attempt.result, root) : safeText(failureText(withFailedLine(attempt.error, root)))).split(
    "\n",
  );

function jsonOf(attempt: Attempt): object {
  if (attempt.ok) return resultJson(attempt.result, exitCodeOfResult(attempt.result));
  return failureJson(attempt.error, exitCodeOf(attempt.error));
}

/**
 * Prints attempts: the first in full, each later one as a diff against the last successful one. A failed attempt is printed
 * in full.
 */
function createPrinter(hasKeys: boolean, root: string): (attempt: Attempt, files: readonly string[]) => void {
  let before: readonly string[] | undefined;
  let isFirst = true;
  return (attempt, files) => {
    const lines = linesOf(attempt, root);
    const cause = files.length > 0 ? `${someNames(files)} changed` : "run again";
    if (!isFirst) console.log(`\n${lineStart(systemClock.now())}${paint("bold", inLine(cause))}`);
    const shown = attempt.ok && before ? lineDiff(before, lines, withoutCost).map(diffText) : lines;
    console.log(shown.join("\n"));
    if (isFirst) console.log(paint("dim", hasKeys ? "\nWatching: r runs again, q quits" : "\nWatching"));
    isFirst = false;
    if (attempt.ok) before = lines;
  };
}

/** Runs a component now and after each change of its files, and prints the differences in the output. */
export async function watchRun(options: SingleRunOptions, json: boolean): Promise<void> {
  const { root } = options;
  const hasKeys = process.stdin.isTTY && !json;
  const printAttempt = createPrinter(hasKeys, root);
  let runAgain = (): void => undefined;
  const leaveKeys = hasKeys
    ? readKeys(process.stdin, (action) => {
        if (action === "run") runAgain();
        if (action !== "quit") return;
        // From here on Ctrl+C sends SIGINT again: a second one ends the process at once.
        leaveKeys();
        process.kill(process.pid, "SIGINT");
      })
    : () => undefined;
  await rerun({
    run: options,
    stop: stopSignal(),
    onReady(start) {
      runAgain = start;
    },
    report(attempt, changed) {
      const files = changed.map((path) => relative(root, path));
      if (json) console.log(jsonText({ ...jsonOf(attempt), changed: files }));
      else printAttempt(attempt, files);
    },
    note: (text) => console.error(text),
  });
  leaveKeys();
}
