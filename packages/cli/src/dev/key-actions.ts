import type { Clock, Execution, Json, Runtime } from "@x/runtime";

import type { DevFile } from "./dev-file.ts";
import type { DevEmitter } from "./emitter.ts";
import type { KeyAction } from "./keys.ts";
import type { RememberingRuntime } from "./last-arrival.ts";
import type { DevMessage } from "./message.ts";
import { nextTurn } from "./tasks.ts";
import { runMessage } from "./tell.ts";

export interface KeyActionsOptions {
  readonly runtime: Runtime;
  readonly files: readonly Pick<DevFile, "emitter">[];
  readonly arrivals: Pick<RememberingRuntime, "replay">;
  /** What a run gets; absent: what the component's interfaces suggest. */
  readonly event: Json | undefined;
  readonly clock: Pick<Clock, "now" | "wakeAt">;
  readonly tell: (message: DevMessage) => void;
}

/** A run that takes longer than this may be one that never ends: then nothing would be seen. */
const longMs = 5_000;

type RunAction = Exclude<KeyAction, "quit" | "explain">;

/** What the keys make components do. */
export interface KeyActions extends Readonly<Record<RunAction, () => Promise<void>>> {
  /** One source or workflow. */
  runOne(emitter: DevEmitter): Promise<void>;
}

export function createKeyActions({ runtime, files, arrivals, event, clock, tell }: KeyActionsOptions): KeyActions {
  const emitters = (): DevEmitter[] => files.flatMap(({ emitter }) => emitter ?? []);
  const note = (text: string): void => tell({ message: "note", text });

  async function tellRun(of: { readonly id: string; readonly name: string }, done: Promise<Execution>): Promise<void> {
    const text = `${of.name} still runs: until it is done, or --run-timeout is over (5m unless given)`;
    const cancel = clock.wakeAt(clock.now() + longMs, () => note(text));
    const execution = await done.finally(cancel);
    // Its events, then its error, then the run itself.
    await nextTurn();
    await nextTurn();
    tell(runMessage(of, execution));
  }

  const runOne = (emitter: DevEmitter): Promise<void> =>
    tellRun(emitter, runtime.invoke(emitter.id, emitter.start(event)));

  const named = async (id: string): Promise<{ readonly id: string; readonly name: string }> =>
    id.startsWith("p_") ? runtime.findWorkflow(id) : (await runtime.source(id)).source;

  return {
    runOne,
    async run() {
      if (emitters().length === 0) note("there is nothing to run: no file is deployed yet");
      await Promise.all(emitters().map(runOne));
    },
    async tick() {
      const timed = emitters().filter(({ hasTimer }) => hasTimer);
      if (timed.length === 0) note("no component here has a timer; r runs it");
      await Promise.all(timed.map((emitter) => tellRun(emitter, runtime.invoke(emitter.id))));
    },
    async replay() {
      const done = await arrivals.replay();
      if (!done) note("nothing to replay: no request and no event has come from outside yet; r runs now");
      if (done?.kind !== "event") return;
      await tellRun(await named(done.sourceId), Promise.resolve(done.execution));
    },
  };
}
