import { realpathSync } from "node:fs";
import { join } from "node:path";

import { type NoteFiles, systemClock } from "@x/runtime";

import { fileTimeNow } from "../dev/file-time.ts";
import { createFileWatch, type FollowedFiles } from "../dev/file-watch.ts";
import type { SingleRunOptions } from "../run/run-target.ts";
import { createRunEngine, type SingleRunResult, runOnEngine } from "../run/single-run.ts";
import { aborted } from "../stop-signal.ts";

/** What became of one shot. */
export type Attempt =
  | { readonly ok: true; readonly shot: SingleRunResult }
  | { readonly ok: false; readonly error: unknown };

export interface RerunOptions {
  readonly shot: SingleRunOptions;
  /** Ends it; a shot under way is not told any more. */
  readonly stop: AbortSignal;
  /** Gets a function that asks for one more shot. */
  readonly onAsk?: (again: () => void) => void;
  /** `changed`: the files whose change led to it. */
  readonly report: (attempt: Attempt, changed: readonly string[]) => void;
  readonly note: (text: string) => void;
}

/** A file that is being written looks broken; this long it may. */
const brokenMs = 60;

/** Shoots now and after each change of any of the files that the component is made of, until it is stopped. */
export async function rerun({ shot, stop, onAsk, report, note }: RerunOptions): Promise<void> {
  const { file } = shot;
  const root = realpathSync(shot.root);
  let changed = new Set<string>();
  let asked = Promise.withResolvers<void>();
  const ask = (paths: readonly string[] = []): void => {
    for (const path of paths) changed.add(path);
    asked.resolve();
  };
  const watch = createFileWatch({
    root,
    clock: systemClock,
    changed: ask,
    failed: (folder, error) => note(`${folder} cannot be watched: ${error instanceof Error ? error.message : ""}`),
  });
  let files: FollowedFiles = { own: new Set([file]), packages: new Set() };
  watch.follow(files);
  onAsk?.(ask);
  const stopped = aborted(stop);
  // Watched folders do not keep a process alive.
  const letGo = systemClock.wakeAt(Number.POSITIVE_INFINITY, () => undefined);
  const isAskedSoon = (): Promise<boolean> =>
    Promise.race([
      asked.promise.then(() => true),
      new Promise<boolean>((resolve) => {
        systemClock.wakeAt(systemClock.now() + brokenMs, () => resolve(false));
      }),
    ]);
  const pathsOf = (names: readonly string[]): string[] => names.map((name) => join(root, name));
  let begun = fileTimeNow();
  const noted: NoteFiles = (names, others, places) => {
    files = {
      own: new Set([file, ...pathsOf(names), ...pathsOf(places)]),
      packages: new Set(pathsOf(others)),
    };
    // A run may take long.
    watch.follow(files, begun);
  };
  await using engine = await createRunEngine(shot);
  try {
    while (!stop.aborted) {
      const because = [...changed];
      changed = new Set();
      asked = Promise.withResolvers();
      begun = fileTimeNow();
      const shooting = runOnEngine(shot, engine, (done): Attempt => ({ ok: true, shot: done }), noted).catch(
        (error: unknown): Attempt => ({ ok: false, error }),
      );
      const attempt = await Promise.race([shooting, stopped]);
      if (!attempt) break;
      if (!attempt.ok) watch.followAll(files, begun);
      if (attempt.ok || !(await isAskedSoon())) report(attempt, because);
      else for (const path of because) changed.add(path);
      await Promise.race([asked.promise, stopped]);
    }
  } finally {
    watch.close();
    letGo();
  }
}
