import type { Clock, Execution, Json, Runtime } from "@x/runtime";

import type { DevFile } from "./dev-file.ts";
import type { DevEmitter } from "./emitter.ts";
import type { KeyAction } from "./keys.ts";
import type { RecordingRuntime } from "./recording-runtime.ts";
import { type DevMessage, runMessage } from "./message.ts";
import { nextTurn } from "./tasks.ts";

export interface KeyActionsOptions {
  readonly runtime: Runtime;
  readonly files: readonly Pick<DevFile, "emitter">[];
  readonly recording: Pick<RecordingRuntime, "replay">;
  /** The event of each run; absent: the default of the component's interfaces. */
  readonly event: Json | undefined;
  readonly clock: Pick<Clock, "now" | "wakeAt">;
  readonly print: (message: DevMessage) => void;
}

/** After this long a note says that the run has not ended yet. */
const slowRunMs = 5_000;

interface SourceName {
  readonly id: string;
  readonly name: string;
}

type RunAction = Exclude<KeyAction, "quit" | "explain">;

/** The actions behind the keys. */
export interface KeyActions extends Readonly<Record<RunAction, () => Promise<void>>> {
  /** Runs one source or workflow. */
  runOne(emitter: DevEmitter): Promise<void>;
}

export function createKeyActions({ runtime, files, recording, event, clock, print }: KeyActionsOptions): KeyActions {
  const emitters = (): DevEmitter[] => files.flatMap(({ emitter }) => emitter ?? []);
  const note = (text: string): void => print({ message: "note", text });

  async function printRun({ id, name }: SourceName, running: Promise<Execution>): Promise<void> {
    const text = `${name} is still running: it stops when it is done or reaches --run-timeout (default 5m)`;
    const cancel = clock.wakeAt(clock.now() + slowRunMs, () => note(text));
    const execution = await running.finally(cancel);
    // Its events are printed first, then its error, then the run.
    await nextTurn();
    await nextTurn();
    print(runMessage({ id, name }, execution));
  }

  const runOne = (emitter: DevEmitter): Promise<void> =>
    printRun(emitter, runtime.invoke(emitter.id, event === undefined ? {} : { event }));

  const find = async (id: string): Promise<SourceName> =>
    id.startsWith("p_") ? runtime.findWorkflow(id) : (await runtime.source(id)).source;

  return {
    runOne,
    async run() {
      if (emitters().length === 0) note("nothing to run: no file is deployed yet");
      await Promise.all(emitters().map(runOne));
    },
    async tick() {
      const timed = emitters().filter(({ hasTimer }) => hasTimer);
      if (timed.length === 0) note("no component here has a timer; press r to run it");
      await Promise.all(timed.map((emitter) => printRun(emitter, runtime.invoke(emitter.id))));
    },
    async replay() {
      const replayed = await recording.replay();
      if (!replayed) note("nothing to replay: no request and no event came in yet; press r to run now");
      if (replayed?.kind !== "runs") return;
      for (const { sourceId, execution } of replayed.runs)
        await printRun(await find(sourceId), Promise.resolve(execution));
    },
  };
}
