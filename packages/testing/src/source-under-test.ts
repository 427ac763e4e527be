import type { Json } from "@x/runtime";

import type { Call } from "./traffic/calls.ts";
import type { Duration } from "./duration.ts";
import type { GivenComponent } from "./component/given-component.ts";
import type { Dropped, Emit, EntryName, ErrorRecord, LogLine, Run } from "./records.ts";
import type { Answer, RequestParts } from "./traffic/request-line.ts";
import type { Choices, DeployOptions, Question } from "./source-options.ts";
import type { TimelineEntry } from "./timeline.ts";
import type { RouteAnswer } from "./traffic/upstream.ts";

/** What `update` changes; what is absent stays. */
export interface SourceChange {
  /** New code, from then on. */
  readonly component?: GivenComponent;
  readonly props?: { readonly [prop: string]: unknown };
  readonly name?: string;
  readonly active?: boolean;
}

/**
 * A source in the real runtime, on a memory store, with a clock that the test moves and no network. Each step waits until
 * nothing runs any more, and rejects when the component threw in it, or asked for something that no route answers.
 * `Event` is what the component emits, where its type is known.
 */
export interface SourceUnderTest<Event = Json> extends AsyncDisposable {
  /** Runs the hooks deploy and activate; from then on timers tick and requests are taken. */
  deploy(options?: DeployOptions): Promise<void>;
  /** Moves the clock; without a duration to the next time that something is due. Resolves with what ran. */
  tick(duration?: Duration): Promise<readonly Run<Event>[]>;
  /** Sends a request such as `POST /path?a=1`. Resolves with the answer, also when it is a 5xx because `run` threw. */
  request(line: string, parts?: RequestParts): Promise<Answer>;
  /** Runs the source now; without an event with that of its timer. */
  run(event?: unknown): Promise<Run<Event>>;
  /** Runs the hooks deactivate and activate around a change; without one, around the component's file as it is by now. */
  update(change?: SourceChange): Promise<void>;
  /** Ends the runtime and starts another one on the same store. */
  restart(): Promise<void>;
  /** Runs the hook deactivate and removes the source. */
  delete(): Promise<void>;
  /** Asks the component for the choices of a prop. */
  options(prop: string, question?: Question): Promise<Choices>;
  /** Adds a route, or replaces one. */
  route(methodAndUrl: string, answer: RouteAnswer): void;
  /** Writes into the db of the deployed source, or of the workflow. */
  setDb(values: { readonly [key: string]: unknown }): Promise<void>;
  /** Forgets what has been recorded; the source stays as it is. */
  clear(): void;
  close(): Promise<void>;

  /** Oldest first, as all lists here. */
  readonly emits: readonly Emit<Event>[];
  /** Events that dedupe dropped, and why. */
  readonly deduped: readonly Dropped<Event>[];
  readonly errors: readonly ErrorRecord[];
  readonly logs: readonly LogLine[];
  /** Requests to upstreams. */
  readonly calls: readonly Call[];
  /** Every call of `run` and of hooks. */
  readonly runs: readonly Run<Event>[];
  /** Names of the hooks that ran. */
  readonly hooks: readonly EntryName[];
  /** The db as it is after the last step. */
  readonly db: { readonly [key: string]: Json };
  readonly timeline: readonly TimelineEntry[];
  /** The timeline as text, for reading and for snapshots. */
  readonly story: string;
  /** The steps that have not ended, as in the story: what is not awaited is not there yet. */
  readonly underWay: readonly string[];
  /** Epoch milliseconds on its clock. */
  readonly now: number;
  /** URLs of its HTTP props. */
  readonly endpoints: { readonly [prop: string]: string };
}
