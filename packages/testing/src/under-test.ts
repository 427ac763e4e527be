import type { HookName, Json } from "@x/runtime";

import type { GivenComponent } from "./component/given.ts";
import type { Dropped, Emit, ErrorRecord, LogLine, Run } from "./records.ts";
import type { Choices, DeployOptions, Question } from "./source-options.ts";
import type { Duration } from "./time.ts";
import type { TimelineEntry } from "./timeline.ts";
import type { Call } from "./traffic/calls.ts";
import type { Answer, RequestParts } from "./traffic/request-line.ts";
import type { RouteAnswer } from "./traffic/upstream.ts";

/** What sources and workflows under test have in common. */
export interface UnderTest<Event = Json> extends AsyncDisposable {
  /** Moves the clock by `duration`, default: to the next due time. Resolves with the runs. */
  tick(duration?: Duration): Promise<readonly Run<Event>[]>;
  /** Sends a request such as `POST /path?a=1`. Resolves with the answer, even a 5xx because `run` threw. */
  request(line: string, parts?: RequestParts): Promise<Answer>;
  /**
   * Runs it now. Default event: the one that its timer gives. With `prop`, the name of an HTTP prop, as for a request to it:
   * `event` is the event of the request, and the `response` of the run is what it answered.
   */
  run(event?: unknown, options?: { readonly prop?: string }): Promise<Run<Event>>;
  /** Adds a route, or replaces one. */
  route(methodAndUrl: string, answer: RouteAnswer): void;
  /** Writes values into the db of the deployed source or registered workflow. */
  setDb(values: { readonly [key: string]: unknown }): Promise<void>;
  /** Writes values into a data store, also before the source is deployed; undefined deletes a key. */
  setDataStore(name: string, values: { readonly [key: string]: unknown }): Promise<void>;
  /** Clears what was recorded so far; the source itself stays as it is. */
  clear(): void;
  close(): Promise<void>;

  /** Oldest first, like every list here. */
  readonly emits: readonly Emit<Event>[];
  /** Events that dedupe dropped, each with the reason. */
  readonly deduped: readonly Dropped<Event>[];
  readonly errors: readonly ErrorRecord[];
  readonly logs: readonly LogLine[];
  /** Requests to upstreams. */
  readonly calls: readonly Call[];
  /** Calls of `run` and of hooks. */
  readonly runs: readonly Run<Event>[];
  /** The db after the last step. */
  readonly db: { readonly [key: string]: Json };
  /** The values of all data stores after the last step, by name and key. */
  readonly dataStores: { readonly [name: string]: { readonly [key: string]: Json } };
  readonly timeline: readonly TimelineEntry[];
  /** The timeline as text, for people and for snapshots. */
  readonly story: string;
  /** Steps that have not ended, named as in the story; their results are still missing. */
  readonly underWay: readonly string[];
  /** The time of its clock, epoch milliseconds. */
  readonly now: number;
}

/** What a source remembers of earlier runs. */
export interface SourceState {
  /** Default: empty. */
  readonly db?: { readonly [key: string]: unknown };
  /** The ids that dedupe remembers, oldest first: of the default stream, or by channel. Default: none. */
  readonly dedupeIds?: readonly string[] | { readonly [channel: string]: readonly string[] };
}

/** Whose an event of an app is, and its id, which the app repeats. */
export interface AppEventOptions {
  readonly account?: { readonly [field: string]: string };
  readonly id?: string;
}

/** The change that `update` makes; absent fields stay. */
export interface SourceChange {
  /** The new code. */
  readonly component?: GivenComponent;
  readonly props?: { readonly [prop: string]: unknown };
  readonly name?: string;
  readonly active?: boolean;
}

/**
 * A source in the real runtime, with a memory store, a clock that the test moves and no network. Each step waits until
 * the runtime is idle. It rejects when the component threw, or sent a request that no route answers. `Event` is the type
 * of the component's events, if known.
 */
export interface SourceUnderTest<Event = Json> extends UnderTest<Event> {
  /** Runs the hooks deploy and activate; from then on timers fire and requests are accepted. */
  deploy(options?: DeployOptions): Promise<void>;
  /**
   * Puts the source in place as one that was deployed before: no hook runs, and its db and the ids that dedupe remembers are
   * those of `state`.
   */
  restore(state?: SourceState): Promise<void>;
  /** Runs the hooks deactivate and activate around a change. Default: take up the component's file in its present state. */
  update(change?: SourceChange): Promise<void>;
  /** Closes the runtime and starts another one on the same store. */
  restart(): Promise<void>;
  /** Runs the hook deactivate and removes the source. */
  delete(): Promise<void>;
  /** Asks the component for the choices of a prop. */
  options(prop: string, question?: Question): Promise<Choices>;
  /**
   * Sends an event of the app that an apphook prop listens to, with one of its `eventNames`; no endpoint and no account is
   * needed. Resolves with the run. With `account`, such as `{ team_id: "acme" }`, only if the account of the source has these
   * fields. Rejects with `HarnessError` for names that the source does not listen to, and when it does not get the event.
   */
  appEvent(name: string | readonly string[], data: unknown, options?: AppEventOptions): Promise<Run<Event>>;
  /** The names of the events that its apphook props listen to; none for every event. */
  readonly eventNames: readonly string[];
  /** The names of the hooks that were called, in order, also of those that threw; `runs` has what they did. */
  readonly hooks: readonly HookName[];
  /** URLs of its HTTP props. */
  readonly endpoints: { readonly [prop: string]: string };
}
