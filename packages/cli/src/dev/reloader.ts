import { type Clock, XError } from "@x/runtime";

import { messageOf } from "../errors.ts";
import type { DevFile, Loaded } from "./dev-file.ts";
import type { DevEmitter } from "./emitter.ts";
import { fileTimeNow } from "./file-time.ts";
import { createFileWatch, type FileWatch } from "./file-watch.ts";
import { brokenMessage, changedMessage, type DevMessage } from "./message.ts";
import type { Tasks } from "./tasks.ts";

/** An error is printed after this pause, unless the file changes again: a file that is being written looks broken. */
const brokenMs = 60;

/** Updates sources and workflows when their files change. */
export interface Reloader {
  /** Loads a file. Changes of its files are noticed from then on. */
  read(file: DevFile): Promise<Loaded>;
  /** Begins to act on changes, also on those since `read`. `first` has the results of the first loads. */
  start(first: ReadonlyMap<DevFile, Loaded>): void;
  /** Reloads the components with app props, after this accounts file has changed. */
  applyAccounts(path: string): void;
  close(): void;
}

export interface ReloaderOptions {
  readonly files: readonly DevFile[];
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly print: (message: DevMessage) => void;
  tickOf(id: string): Promise<{ readonly next_tick?: string }>;
  /** Called when a source or workflow has a new version. */
  readonly updated: (emitter: DevEmitter) => void;
}

const waitsForRun =
  "is updated when its run has ended; an endless run stops at --run-timeout, or press Ctrl+C twice and start again";

const passed = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.wakeAt(clock.now() + ms, resolve);
  });

export function createReloader({ files, clock, tasks, print, tickOf, updated }: ReloaderOptions): Reloader {
  const broken = new Set<DevFile>();
  const pending = new Map<DevFile, ReadonlySet<string>>();
  const busy = new Set<DevFile>();
  /** Files for which the note about a run in progress was printed. */
  const waiting = new Set<DevFile>();
  let started = false;
  let accountsPath: string | undefined;
  let closed = false;

  function changed(file: DevFile, paths: readonly string[]): void {
    pending.set(file, new Set([...(pending.get(file) ?? []), ...paths]));
    if (started && !closed) tasks.begin(() => reloadWhileChanging(file));
  }

  const watchOf = (file: DevFile): FileWatch => {
    const failed = (folder: string, error: unknown): void =>
      print({ message: "note", text: `${folder} cannot be watched: ${messageOf(error)}` });
    const watch = createFileWatch({ root: file.root, clock, changed: (paths) => changed(file, paths), failed });
    watch.follow(file.paths);
    return watch;
  };
  const watches = new Map(files.map((file) => [file, watchOf(file)]));

  async function read(file: DevFile): Promise<Loaded> {
    const watch = watches.get(file);
    const begun = fileTimeNow();
    // Watched at once: hooks of a deployment may take long.
    const loaded = await file.load(() => watch?.follow(file.paths, begun));
    if (!loaded.ok) watch?.followAll(file.paths, begun);
    return loaded;
  }

  function printBroken(file: DevFile, error: unknown): void {
    broken.add(file);
    print(brokenMessage(file, error));
  }

  async function failed(file: DevFile, paths: ReadonlySet<string>, error: unknown): Promise<void> {
    // The update timed out while it waited for a run in progress: it is tried again.
    if (XError.is(error) && error.code === "busy") {
      if (!waiting.has(file)) print({ message: "note", text: `${file.shown} ${waitsForRun}` });
      waiting.add(file);
      changed(file, [...paths]);
      return;
    }
    await passed(clock, brokenMs);
    if (!pending.has(file) && !closed) printBroken(file, error);
  }

  async function reload(file: DevFile, paths: ReadonlySet<string>): Promise<void> {
    const start = performance.now();
    const { emitter: before } = file;
    const loaded = await read(file);
    const durationMs = Math.round(performance.now() - start);
    if (closed) return;
    if (!loaded.ok) return failed(file, paths, loaded.error);
    waiting.delete(file);
    const recovered = broken.delete(file);
    const accountsChanged = accountsPath !== undefined && paths.has(accountsPath);
    if (loaded.change === "unchanged" && !recovered && !accountsChanged) return;
    const tick = await tickOf(loaded.emitter.id);
    if (closed) return;
    print({ ...changedMessage(file, loaded, { before, paths, recovered }), ...tick, duration_ms: durationMs });
    updated(loaded.emitter);
  }

  async function reloadWhileChanging(file: DevFile): Promise<void> {
    if (busy.has(file)) return;
    busy.add(file);
    try {
      for (;;) {
        const paths = pending.get(file);
        if (!paths || closed) return;
        pending.delete(file);
        await reload(file, paths);
      }
    } finally {
      busy.delete(file);
    }
  }

  return {
    read,
    start(first) {
      for (const [file, loaded] of first) if (!loaded.ok) printBroken(file, loaded.error);
      started = true;
      for (const file of pending.keys()) tasks.begin(() => reloadWhileChanging(file));
    },
    applyAccounts(path) {
      accountsPath = path;
      const usesAccounts = ({ emitter }: DevFile): boolean =>
        emitter === undefined || emitter.shape?.props.some(({ type }) => type === "app") === true;
      for (const file of files.filter((each) => broken.has(each) || usesAccounts(each))) changed(file, [path]);
    },
    close() {
      closed = true;
      for (const watch of watches.values()) watch.close();
    },
  };
}
