import { resolve } from "node:path";

import { type Json, type ObservedExecution, type Runtime, systemClock } from "@x/runtime";

import { type GivenAccounts, refuseStrayAccounts } from "../given/given-accounts.ts";
import { watchAccounts } from "./accounts-watch.ts";
import { type Book, openBook } from "./book.ts";
import { createDevAccounts } from "./dev-accounts.ts";
import { createDevFile, type DevFile, type Loaded } from "./dev-file.ts";
import { hasEndpoint } from "./emitter.ts";
import { checkAccounts, checkProps, letOthersRest } from "./first-load.ts";
import { createKeyActions, type KeyActions } from "./key-actions.ts";
import { type Answered, rememberLast } from "./last-arrival.ts";
import type { DevMessage, FileState } from "./message.ts";
import { createReloader } from "./reloader.ts";
import { createTasks, nextTurn } from "./tasks.ts";
import { createFlood } from "./flood.ts";
import { answeredMessage, eventMessage, tracedMessages } from "./tell.ts";

/** When the timer of a source fires next, as messages tell it. */
async function nextTickOf(
  runtime: Pick<Runtime, "nextTick">,
  id: string | undefined,
): Promise<{ readonly next_tick?: string }> {
  const at = id === undefined ? undefined : await runtime.nextTick(id);
  return at === undefined ? {} : { next_tick: new Date(at).toISOString() };
}

export interface SessionOptions {
  readonly files: readonly string[];
  readonly root: string | undefined;
  readonly props: { readonly [prop: string]: Json };
  readonly accounts: GivenAccounts;
  /** The file that these are in, which is followed. */
  readonly accountsFile?: string | undefined;
  /** What a run gets; absent: what the component's interfaces suggest. */
  readonly event: Json | undefined;
  /** Run at the start and after every change. */
  readonly runOnChange: boolean;
  /** The data folder. */
  readonly data: string;
  readonly tell: (message: DevMessage) => void;
}

/** Files as sources and workflows that follow them. */
export interface Session {
  /** What requests from outside reach. */
  readonly front: Runtime;
  /** Tells what a call did that leaves no record. */
  observe(observed: ObservedExecution): void;
  /** Makes the files sources and workflows, or updates those that they have. Throws `UsageError` for props or accounts that none has. */
  load(): Promise<{ readonly files: readonly FileState[]; readonly resting: readonly string[] }>;
  /** Follows the files and tells what happens. */
  start(): void;
  act(action: keyof Omit<KeyActions, "runOne">): void;
  /** Begins nothing new. */
  stop(): void;
  /** Resolves when all has been told; after the runtime was closed. */
  ended(): Promise<void>;
}

const streams = ["emits", "$logs", "$errors"] as const;

const stateOf = ({ shown: file, emitter }: DevFile, loaded: Loaded): FileState => ({
  file,
  ...(emitter && { source: emitter.id, name: emitter.name }),
  ...(loaded.ok && { change: loaded.change }),
  endpoints: emitter?.endpoints ?? [],
  ...(emitter && emitter.appsWithoutAccount.length > 0 && { without_account: emitter.appsWithoutAccount }),
});

export function openSession(runtime: Runtime, options: SessionOptions): Session {
  const { props, runOnChange } = options;
  const tell = createFlood(options.tell);
  const book: Book = openBook(options.data);
  const accounts = createDevAccounts({ given: options.accounts, book, runtime });
  const files = options.files.map((file) =>
    createDevFile({ file, root: options.root, props, accounts, book, runtime }),
  );
  const first = new Map<DevFile, Loaded>();
  // From here on, so that what hooks do is told as well.
  const heard = streams.map((stream) => runtime.events({ stream }));
  let stopped = false;

  const tasks = createTasks((error) => {
    if (!stopped) tell({ message: "note", text: error instanceof Error ? error.message : String(error) });
  });
  const arrivals = rememberLast(runtime, tellAnswer);
  const actions = createKeyActions({ runtime, files, arrivals, event: options.event, clock: systemClock, tell });
  const tickOf = (id: string | undefined): Promise<{ readonly next_tick?: string }> => nextTickOf(runtime, id);
  const reloader = createReloader({
    files,
    clock: systemClock,
    tasks,
    tell,
    tickOf,
    updated(emitter) {
      if (runOnChange) tasks.begin(() => actions.runOne(emitter));
    },
  });

  function tellAnswer(answered: Answered): void {
    const emitters = files.flatMap(({ emitter }) => emitter ?? []);
    const asked = emitters.find((emitter) => hasEndpoint(emitter, answered.endpointKey));
    if (asked) tell(answeredMessage(asked, answered));
  }

  async function tellEvents(events: (typeof heard)[number]): Promise<void> {
    for await (const live of events) {
      const root = files.find(({ emitter }) => emitter?.id === live.source.id)?.root;
      const message = eventMessage(live, root);
      // What a run logged before it failed comes first.
      if (message?.message === "error") await nextTurn();
      if (message) tell(message);
    }
  }

  const note = (text: string): void => tell({ message: "note", text });

  function giveAccounts(file: string, given: GivenAccounts): void {
    accounts.replace(given);
    const shapes = files.map(({ emitter }) => emitter?.shape);
    const known = shapes.flatMap((shape) => shape ?? []);
    if (known.length === shapes.length)
      try {
        refuseStrayAccounts("the components here have", known, given);
      } catch (error) {
        note(error instanceof Error ? error.message : String(error));
      }
    reloader.takeAccounts(resolve(file));
  }

  function followAccounts(file: string): { close(): void } {
    return watchAccounts({
      file,
      clock: systemClock,
      changed: (given) => giveAccounts(file, given),
      failed: (error) => note(error instanceof Error ? error.message : String(error)),
    });
  }
  const accountsWatch = options.accountsFile === undefined ? undefined : followAccounts(options.accountsFile);

  return {
    front: arrivals.runtime,
    observe(observed) {
      for (const message of tracedMessages(observed)) tell(message);
    },
    async load() {
      for (const file of files) first.set(file, await reloader.read(file));
      checkProps(Object.keys(props), [...first.values()]);
      checkAccounts(options.accounts, [...first.values()]);
      const states: FileState[] = [];
      for (const [file, loaded] of first)
        states.push({ ...stateOf(file, loaded), ...(await tickOf(file.emitter?.id)) });
      return { files: states, resting: await letOthersRest(runtime, book, files) };
    },
    start() {
      for (const events of heard) tasks.begin(() => tellEvents(events));
      reloader.start(first);
      if (runOnChange) tasks.begin(actions.run);
    },
    act: (action) => tasks.begin(actions[action]),
    stop() {
      stopped = true;
      accountsWatch?.close();
      reloader.close();
    },
    ended: tasks.ended,
  };
}
