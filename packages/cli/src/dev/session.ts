import { resolve } from "node:path";

import { type Json, type ObservedExecution, type Runtime, systemClock } from "@x/runtime";

import { type AccountsByApp, unusedAccounts } from "../arguments/accounts-file.ts";
import { messageOf } from "../errors.ts";
import { watchAccounts } from "./accounts-watch.ts";
import { createDevAccounts } from "./dev-accounts.ts";
import { createDevFile, type DevFile, type DevFileOptions, type Loaded } from "./dev-file.ts";
import { openDevState } from "./dev-state.ts";
import { type AppHook, hasEndpoint } from "./emitter.ts";
import { checkAppEvents, checkProps, findUnused, pauseOthers, pauseRegistered, shapesOf } from "./first-load.ts";
import { createKeyActions, type KeyActions } from "./key-actions.ts";
import {
  type AppHookState,
  answeredMessage,
  type DevMessage,
  eventMessage,
  type FileState,
  tracedMessages,
} from "./message.ts";
import { type GivenProps, givenNames } from "../arguments/values.ts";
import type { NamedSource } from "./dev-config.ts";
import { createOutputLimit } from "./output-limit.ts";
import { type AnsweredRequest, createRecordingRuntime } from "./recording-runtime.ts";
import { createReloader } from "./reloader.ts";
import { createTasks, nextTurn } from "./tasks.ts";

export interface SessionOptions {
  readonly files: readonly string[];
  readonly root: string | undefined;
  readonly props: { readonly [prop: string]: Json };
  /** Values as texts, for the types of the props. */
  readonly propTexts?: GivenProps["propTexts"];
  /** The sources of files, by their names; values of `props` and `propTexts` have priority. */
  readonly sources?: ReadonlyMap<string, NamedSource>;
  readonly accounts: AccountsByApp;
  /** The file with these accounts; the session watches it. */
  readonly accountsFile?: string | undefined;
  /** The event of each run; absent: the default of the component's interfaces. */
  readonly event: Json | undefined;
  /** The name of that event, when it is one of an app. */
  readonly appEvent?: string | undefined;
  /** Runs each component at the start and after every change. */
  readonly runOnChange: boolean;
  /** The data folder. */
  readonly data: string;
  readonly print: (message: DevMessage) => void;
}

/** The sources and workflows of the files, updated when the files change. */
export interface Session {
  /** The runtime for requests from outside: it records the last one for a replay. */
  readonly runtime: Runtime;
  /** Prints what an execution did that is not stored: its requests and dropped events. */
  observe(observed: ObservedExecution): void;
  /** Deploys the files, or updates their sources. Throws `UsageError` for a prop or account that no component declares. */
  load(): Promise<{ readonly files: readonly FileState[]; readonly resting: readonly string[] }>;
  /** Watches the files and prints what happens. */
  start(): void;
  act(action: keyof Omit<KeyActions, "runOne">): void;
  /** Deactivates the sources that have registered endpoints which will not be reached any more. The next start activates them. */
  unregister(): Promise<void>;
  /** Starts no more work. */
  stop(): void;
  /** Resolves when everything has been printed. Call it after the runtime is closed. */
  ended(): Promise<void>;
}

const streams = ["emits", "$logs", "$errors"] as const;

const appHookState = ({ app, names, endpointUrl }: AppHook): AppHookState => ({
  app,
  event_names: names,
  endpoint_url: endpointUrl,
});

const stateOf = ({ shown: file, emitter }: DevFile, loaded: Loaded): FileState => ({
  file,
  ...(emitter && { source: emitter.id, name: emitter.name }),
  ...(loaded.ok && { change: loaded.change }),
  endpoints: emitter?.endpoints ?? [],
  ...(emitter && emitter.appsWithoutAccount.length > 0 && { without_account: emitter.appsWithoutAccount }),
  ...(emitter && emitter.appHooks.length > 0 && { app_events: emitter.appHooks.map(appHookState) }),
});

/** Each file with its own values. */
const createFiles = (
  { files, root, props, propTexts = {}, sources }: SessionOptions,
  parts: Pick<DevFileOptions, "accounts" | "state" | "runtime">,
): DevFile[] =>
  files.map((file) => {
    const source = sources?.get(file);
    const given = source && { name: source.name, emitOnDeploy: source.emitOnDeploy };
    return createDevFile({ file, root, ...given, props: { ...source?.props, ...props }, propTexts, ...parts });
  });

/** The next tick of a source's timer, as a field of a message. */
const tickReader =
  (runtime: Pick<Runtime, "nextTick">) =>
  async (id: string | undefined): Promise<{ readonly next_tick?: string }> => {
    const at = id === undefined ? undefined : await runtime.nextTick(id);
    return at === undefined ? {} : { next_tick: new Date(at).toISOString() };
  };

export function openSession(runtime: Runtime, options: SessionOptions): Session {
  const print = createOutputLimit(options.print);
  const note = (text: string): void => print({ message: "note", text });
  const state = openDevState(options.data);
  const accounts = createDevAccounts({ accounts: options.accounts, state, runtime });
  const files = createFiles(options, { accounts, state, runtime });
  const first = new Map<DevFile, Loaded>();
  // Subscribed before the files are loaded, so that events of hooks are printed too.
  const liveStreams = streams.map((stream) => runtime.events({ stream }));
  let stopped = false;
  const tickOf = tickReader(runtime);

  const tasks = createTasks((error) => {
    if (!stopped) note(messageOf(error));
  });
  const recording = createRecordingRuntime(runtime, printAnswer);
  const actions = createKeyActions({ runtime, files, recording, event: options.event, clock: systemClock, print });
  const reloader = createReloader({
    files,
    clock: systemClock,
    tasks,
    print,
    tickOf,
    updated(emitter) {
      if (options.runOnChange) tasks.begin(() => actions.runOne(emitter));
    },
  });

  function printAnswer(answered: AnsweredRequest): void {
    const emitters = files.flatMap(({ emitter }) => emitter ?? []);
    const receiver = emitters.find((emitter) => hasEndpoint(emitter, answered.endpointKey));
    if (receiver) print(answeredMessage(receiver, answered));
  }

  async function printEvents(events: (typeof liveStreams)[number]): Promise<void> {
    for await (const live of events) {
      const file = files.find(({ emitter }) => emitter?.id === live.source.id);
      const message = eventMessage(live, file?.root);
      // Prints the logs of a run before its error.
      if (message?.message === "error") await nextTurn();
      if (message) print(message);
    }
  }

  function updateAccounts(file: string, changed: AccountsByApp): void {
    accounts.replace(changed);
    const shapes = files.map(({ emitter }) => emitter?.shape);
    const known = shapes.flatMap((shape) => shape ?? []);
    const unused =
      known.length === shapes.length ? unusedAccounts("the components here have", known, changed) : undefined;
    if (unused !== undefined) note(unused);
    reloader.applyAccounts(resolve(file));
  }

  const followAccounts = (file: string): { close(): void } =>
    watchAccounts({
      file,
      clock: systemClock,
      changed: (changed) => updateAccounts(file, changed),
      failed: (error) => note(messageOf(error)),
    });
  const accountsWatch = options.accountsFile === undefined ? undefined : followAccounts(options.accountsFile);

  return {
    runtime: recording.runtime,
    observe(observed) {
      recording.observe(observed);
      for (const message of tracedMessages(observed)) print(message);
    },
    async load() {
      const given = givenNames(options);
      // Before the first hook, which may register something at a service.
      if (given.length > 0) checkProps(given, await Promise.all(files.map((file) => file.readShape())));
      for (const file of files) first.set(file, await reloader.read(file));
      checkProps(given, shapesOf([...first.values()]));
      const unused = findUnused(options.accounts, [...first.values()]);
      if (unused !== undefined) note(unused);
      if (options.appEvent !== undefined) checkAppEvents(options.appEvent, files);
      const states: FileState[] = [];
      for (const [file, loaded] of first)
        states.push({ ...stateOf(file, loaded), ...(await tickOf(file.emitter?.id)) });
      return { files: states, resting: await pauseOthers(runtime, state, files) };
    },
    start() {
      for (const events of liveStreams) tasks.begin(() => printEvents(events));
      reloader.start(first);
      if (options.runOnChange) tasks.begin(actions.run);
    },
    act: (action) => tasks.begin(actions[action]),
    unregister: () => pauseRegistered(runtime, files),
    stop() {
      stopped = true;
      accountsWatch?.close();
      reloader.close();
    },
    ended: tasks.ended,
  };
}
