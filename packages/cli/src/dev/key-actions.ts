import type { Execution, Json, Runtime, SourceView } from "@x/runtime";

import { startOf } from "../http-event.ts";
import type { DevFile } from "./dev-file.ts";
import type { KeyAction } from "./keys.ts";
import type { RememberingRuntime } from "./last-arrival.ts";
import type { DevMessage } from "./message.ts";
import { runMessage } from "./tell.ts";

export interface KeyActionsOptions {
  readonly runtime: Runtime;
  readonly files: readonly DevFile[];
  readonly arrivals: Pick<RememberingRuntime, "replay">;
  /** What a run gets; absent: what the component's interfaces suggest. */
  readonly event: Json | undefined;
  readonly tell: (message: DevMessage) => void;
}

type RunAction = Exclude<KeyAction, "quit" | "explain">;

/** What the keys make components do. */
export interface KeyActions extends Readonly<Record<RunAction, () => Promise<void>>> {
  /** One source. */
  runOne(view: SourceView): Promise<void>;
}

const hasTimer = ({ component }: SourceView): boolean =>
  component.shape.props.some(({ type }) => type === "$.interface.timer");

/** Lets what is under way in this turn be told first: the events of a run, before the run itself. */
const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

export function createKeyActions({ runtime, files, arrivals, event, tell }: KeyActionsOptions): KeyActions {
  const views = (): SourceView[] => files.flatMap(({ view }) => view ?? []);
  const note = (text: string): void => tell({ message: "note", text });

  async function tellRun({ source }: SourceView, done: Promise<Execution>): Promise<void> {
    const execution = await done;
    await nextTurn();
    tell(runMessage(source, execution));
  }

  const runOne = (view: SourceView): Promise<void> =>
    tellRun(view, runtime.invoke(view.source.id, startOf(view.component.shape, event)));

  return {
    runOne,
    async run() {
      if (views().length === 0) note("there is nothing to run: no file is deployed yet");
      await Promise.all(views().map(runOne));
    },
    async tick() {
      const timed = views().filter(hasTimer);
      if (timed.length === 0) note("no component here has a timer; r runs it");
      await Promise.all(timed.map((view) => tellRun(view, runtime.invoke(view.source.id))));
    },
    async replay() {
      const done = await arrivals.replay();
      if (!done) note("nothing has arrived yet: send something to an endpoint, or press r");
      if (done?.kind !== "event") return;
      await tellRun(await runtime.source(done.sourceId), Promise.resolve(done.execution));
    },
  };
}
