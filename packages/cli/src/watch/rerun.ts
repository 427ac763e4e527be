import { realpathSync } from "node:fs";
import { join } from "node:path";

import { type NoteFiles, systemClock } from "@x/runtime";

import { fileTimeNow } from "../dev/file-time.ts";
import { createFileWatch, type FollowedFiles } from "../dev/file-watch.ts";
import type { SingleRunOptions } from "../run/run-target.ts";
import { createRunEngine, type SingleRunResult, runOnEngine } from "../run/single-run.ts";
import { messageOf } from "../errors.ts";
import { aborted } from "../stop-signal.ts";

/** The result of one attempt. */
export type Attempt =
  | { readonly ok: true; readonly result: SingleRunResult }
  | { readonly ok: false; readonly error: unknown };

export interface RerunOptions {
  readonly run: SingleRunOptions;
  /** Ends it; a run in progress is not reported. */
  readonly stop: AbortSignal;
  /** Called with a function that starts one more run. */
  readonly onReady?: (runAgain: () => void) => void;
  /** `changed`: the files whose change caused the run. */
  readonly report: (attempt: Attempt, changed: readonly string[]) => void;
  readonly note: (text: string) => void;
}

/** An error is reported after this pause, unless a file changes again: a file that is being written looks broken. */
const brokenMs = 60;

/** Runs a component now and after each change of its files, until `stop`. */
export async function rerun({ run, stop, onReady, report, note }: RerunOptions): Promise<void> {
  const { file } = run;
  const root = realpathSync(run.root);
  let changed = new Set<string>();
  let requested = Promise.withResolvers<void>();
  const request = (paths: readonly string[] = []): void => {
    for (const path of paths) changed.add(path);
    requested.resolve();
  };
  const watch = createFileWatch({
    root,
    clock: systemClock,
    changed: request,
    failed: (folder, error) => note(`${folder} cannot be watched: ${messageOf(error)}`),
  });
  let files: FollowedFiles = { own: new Set([file]), packages: new Set() };
  watch.follow(files);
  onReady?.(request);
  const stopped = aborted(stop);
  // File watchers do not keep the process alive; this timer does.
  const cancelKeepAlive = systemClock.wakeAt(Number.POSITIVE_INFINITY, () => undefined);
  const isRequestedSoon = (): Promise<boolean> =>
    Promise.race([
      requested.promise.then(() => true),
      new Promise<boolean>((resolve) => {
        systemClock.wakeAt(systemClock.now() + brokenMs, () => resolve(false));
      }),
    ]);
  const pathsOf = (names: readonly string[]): string[] => names.map((name) => join(root, name));
  let begun = fileTimeNow();
  const noted: NoteFiles = (names, packageFiles, candidates) => {
    files = {
      own: new Set([file, ...pathsOf(names), ...pathsOf(candidates)]),
      packages: new Set(pathsOf(packageFiles)),
    };
    // Watched before the run, which may take long.
    watch.follow(files, begun);
  };
  await using engine = await createRunEngine(run);
  try {
    while (!stop.aborted) {
      const because = [...changed];
      changed = new Set();
      requested = Promise.withResolvers();
      begun = fileTimeNow();
      const attempt = await runOnEngine(run, engine, (result): Attempt => ({ ok: true, result }), {
        noted,
        stop,
      }).catch((error: unknown): Attempt => ({ ok: false, error }));
      if (stop.aborted) break;
      if (!attempt.ok) watch.followAll(files, begun);
      if (attempt.ok || !(await isRequestedSoon())) report(attempt, because);
      else for (const path of because) changed.add(path);
      await Promise.race([requested.promise, stopped]);
    }
  } finally {
    watch.close();
    cancelKeepAlive();
  }
}
