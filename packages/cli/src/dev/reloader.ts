import { type Clock, XError } from "@x/runtime";

import type { DevFile, Loaded } from "./dev-file.ts";
import type { DevEmitter } from "./emitter.ts";
import { fileTimeNow } from "./file-time.ts";
import { createFileWatch, type FileWatch } from "./file-watch.ts";
import type { DevMessage } from "./message.ts";
import type { Tasks } from "./tasks.ts";
import { brokenMessage } from "./tell.ts";

/** A file that is being written looks broken; this long it may. */
const brokenMs = 60;

/** Brings sources to what their files say, whenever these change. */
export interface Reloader {
  /** Reads a file and brings what it has become to what it says; changes of what it is made of are seen from then on. */
  read(file: DevFile): Promise<Loaded>;
  /** Changes before this are seen, and count from now on. `first` is what became of the first reading. */
  start(first: ReadonlyMap<DevFile, Loaded>): void;
  /** There are other accounts, from this file: those take them that have a use for them. */
  takeAccounts(path: string): void;
  close(): void;
}

export interface ReloaderOptions {
  readonly files: readonly DevFile[];
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly tell: (message: DevMessage) => void;
  tickOf(id: string): Promise<{ readonly next_tick?: string }>;
  /** A source or workflow has a new version. */
  readonly updated: (emitter: DevEmitter) => void;
}

const waitsForRun =
  "is updated when its run has ended; one that never ends goes on until --run-timeout, or until Ctrl+C twice and a new start";

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const passed = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.wakeAt(clock.now() + ms, resolve);
  });

interface Reloaded {
  readonly before: DevEmitter | undefined;
  readonly paths: ReadonlySet<string>;
  readonly recovered: boolean;
}

const changedMessage = (
  file: DevFile,
  { emitter, differences, newEndpoints }: Extract<Loaded, { ok: true }>,
  { before, paths, recovered }: Reloaded,
) => ({
  message: "changed" as const,
  file: file.shown,
  source: emitter.id,
  name: emitter.name,
  files: [...paths].map((path) => file.nameOf(path)),
  differences,
  endpoints: before ? newEndpoints : emitter.endpoints,
  without_account: emitter.appsWithoutAccount.filter((app) => before?.appsWithoutAccount.includes(app) !== true),
  recovered,
});

export function createReloader({ files, clock, tasks, tell, tickOf, updated }: ReloaderOptions): Reloader {
  const broken = new Set<DevFile>();
  const pending = new Map<DevFile, ReadonlySet<string>>();
  const busy = new Set<DevFile>();
  /** Told to wait for a run. */
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
      tell({ message: "note", text: `${folder} cannot be watched: ${textOf(error)}` });
    const watch = createFileWatch({ root: file.root, clock, changed: (paths) => changed(file, paths), failed });
    watch.follow(file.paths);
    return watch;
  };
  const watches = new Map(files.map((file) => [file, watchOf(file)]));

  async function read(file: DevFile): Promise<Loaded> {
    const watch = watches.get(file);
    const begun = fileTimeNow();
    // At once: hooks of a deployment may take long.
    const loaded = await file.load(() => watch?.follow(file.paths, begun));
    if (!loaded.ok) watch?.followAll(file.paths, begun);
    return loaded;
  }

  function tellBroken(file: DevFile, error: unknown): void {
    broken.add(file);
    tell(brokenMessage(file, error));
  }

  async function failed(file: DevFile, paths: ReadonlySet<string>, error: unknown): Promise<void> {
    // An update waits for the run that is under way, but not for ever: then the next attempt waits on.
    if (XError.is(error) && error.code === "busy") {
      if (!waiting.has(file)) tell({ message: "note", text: `${file.shown} ${waitsForRun}` });
      waiting.add(file);
      changed(file, [...paths]);
      return;
    }
    await passed(clock, brokenMs);
    if (!pending.has(file) && !closed) tellBroken(file, error);
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
    const isGiven = accountsPath !== undefined && paths.has(accountsPath);
    if (loaded.change === "unchanged" && !recovered && !isGiven) return;
    const tick = await tickOf(loaded.emitter.id);
    if (closed) return;
    tell({ ...changedMessage(file, loaded, { before, paths, recovered }), ...tick, duration_ms: durationMs });
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
      for (const [file, loaded] of first) if (!loaded.ok) tellBroken(file, loaded.error);
      started = true;
      for (const file of pending.keys()) tasks.begin(() => reloadWhileChanging(file));
    },
    takeAccounts(path) {
      accountsPath = path;
      const takes = ({ emitter }: DevFile): boolean =>
        emitter === undefined || emitter.shape?.props.some(({ type }) => type === "app") === true;
      for (const file of files.filter((each) => broken.has(each) || takes(each))) changed(file, [path]);
    },
    close() {
      closed = true;
      for (const watch of watches.values()) watch.close();
    },
  };
}
