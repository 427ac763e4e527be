import { advanceInSteps, type Json, type Runtime } from "@x/runtime";

import type { Stand } from "./stand.ts";
import { ComponentError } from "./component-error.ts";
import { parseDuration } from "./duration.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { type AnyFunction, callerFrames, placeInTest } from "./frames.ts";
import { HarnessError } from "./harness-error.ts";
import { answerOf, endpointRequest } from "./traffic/request-line.ts";
import { checkTimers } from "./real-timers.ts";
import { shown } from "./shown.ts";
import type { SourceUnderTest } from "./source-under-test.ts";
import { storyOf } from "./timeline.ts";
import { UnroutedError } from "./traffic/unrouted.ts";

/** What is under test, once the runtime has it. */
export interface Subject {
  readonly id: string;
  /** URL of each HTTP prop. */
  readonly endpoints: { readonly [prop: string]: string };
}

/** What sources and workflows under test have in common. */
export type Acting = Pick<
  SourceUnderTest,
  | "tick"
  | "request"
  | "run"
  | "route"
  | "setDb"
  | "clear"
  | "close"
  | typeof Symbol.asyncDispose
  | "emits"
  | "deduped"
  | "errors"
  | "logs"
  | "calls"
  | "runs"
  | "db"
  | "timeline"
  | "story"
  | "underWay"
  | "now"
>;

export interface Stage {
  readonly acting: Acting;
  /** Throws when there is none yet. */
  need(what: string): Subject;
  /** One step after another, each to its end; errors show where in the test it was called. */
  step<T>(below: AnyFunction, text: string, work: (runtime: Runtime, mark: number) => Promise<T>): Promise<T>;
  /** A change that failed has not happened: what its hooks emitted is gone. */
  changing<T>(mark: number, change: Promise<T>): Promise<T>;
}

export interface StageParts {
  readonly stand: Stand;
  subject(): Subject | undefined;
  /** What is there to do before anything can run, and what has no endpoint. */
  readonly words: { readonly first: string; readonly noEndpoint: string };
}

/** Lets a test act on what is under test, step by step, and look at what came of it. */
export function createStage({ stand, subject, words }: StageParts): Stage {
  const { clock, ledger, upstream } = stand;
  let former: Promise<unknown> = Promise.resolve();
  let db: { readonly [key: string]: Json } = {};
  const underWay: string[] = [];

  const need = (what: string): Subject => {
    const current = subject();
    if (current) return current;
    throw new HarnessError(`${what} needs ${words.first} first.`);
  };

  /** Until nothing runs any more. */
  async function settle(runtime: Runtime): Promise<void> {
    await runtime.idle();
    ledger.settle();
    const current = subject();
    const entries = current ? await runtime.dbEntries(current.id) : [];
    db = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  }

  /** Throws what went wrong in a step, what explains the rest first. `failure` is that of the step itself. */
  function checkStep(mark: number, isTold: boolean, failure: unknown): void {
    const unrouted = upstream.takeUnrouted();
    if (unrouted.length > 0) throw new UnroutedError(unrouted, upstream.routes);
    const [mistake] = upstream.takeMistakes();
    if (mistake) throw mistake;
    stand.answerer?.check?.();
    if (failure !== undefined) throw failure;
    const error = isTold ? undefined : ledger.runs(mark).find((run) => run.error)?.error;
    if (error) throw new ComponentError(error);
  }

  function step<T>(
    below: AnyFunction,
    text: string,
    work: (runtime: Runtime, mark: number) => Promise<T>,
    isTold: (result: T) => boolean = () => false,
  ): Promise<T> {
    const frames = callerFrames(below);
    const mine = former.then(async () => {
      try {
        checkTimers();
      } catch (error) {
        throw placeInTest(error, frames);
      }
      const runtime = await stand.runtime();
      ledger.step(clock.now(), text);
      const mark = ledger.mark();
      const outcome = await work(runtime, mark).then(
        (result) => ({ result, failure: undefined }),
        (failure: unknown) => ({ result: undefined, failure: failure ?? new HarnessError(`${text} failed.`) }),
      );
      // A restart has made another one.
      await settle(await stand.runtime());
      try {
        checkStep(mark, outcome.failure === undefined && isTold(outcome.result), outcome.failure);
      } catch (error) {
        throw placeInTest(error, frames);
      }
      return outcome.result as T;
    });
    // Before whoever awaits the step goes on.
    const ended = (): void => void underWay.shift();
    mine.then(ended, ended);
    underWay.push(text);
    former = mine.catch(() => undefined);
    // A promise of its own: where the test forgets to await it, its failure is unhandled, which test runners report.
    return mine.then((result) => result);
  }

  async function changing<T>(mark: number, change: Promise<T>): Promise<T> {
    try {
      return await change;
    } catch (error) {
      const last = ledger.runs(mark).at(-1);
      ledger.discard(mark, last?.entry === "activate" && !last.error ? last : undefined);
      throw explainRefusal(error, ledger.runs(mark).findLast((run) => run.error)?.error);
    }
  }

  function httpProp({ endpoints }: Subject, wanted: string | undefined): string {
    const names = Object.keys(endpoints);
    const [first, ...others] = names;
    if (first === undefined) throw new HarnessError(`request() needs ${words.noEndpoint}.`);
    if (wanted === undefined && others.length === 0) return first;
    if (wanted !== undefined && names.includes(wanted)) return wanted;
    const asked = wanted === undefined ? "" : `, and none is "${wanted}"`;
    throw new HarnessError(
      `The component has ${names.length === 1 ? "the HTTP prop" : "the HTTP props"} ${names.join(", ")}${asked}; say which: request("POST /", { prop: "${first}" }).`,
    );
  }

  const acting: Acting = {
    tick: (duration) =>
      step(acting.tick, duration === undefined ? "tick" : `tick ${duration}`, async (runtime, mark) => {
        const next = clock.next();
        if (duration === undefined && next === undefined) {
          need("tick()");
          throw new HarnessError(
            'tick() has nothing to move to: no timer is due. Give it a duration, such as tick("1m").',
          );
        }
        const target = duration === undefined ? (next ?? 0) : clock.now() + parseDuration(duration);
        await advanceInSteps(clock, Math.max(0, target - clock.now()), () => runtime.idle());
        return ledger.runs(mark);
      }),
    request: (line, parts = {}) =>
      step(
        acting.request,
        line,
        async (runtime, mark) => {
          const current = need("request()");
          const url = current.endpoints[httpProp(current, parts.prop)] ?? "";
          const answer = await runtime.request(url, endpointRequest(line, parts, url));
          await runtime.idle();
          return answerOf(answer, ledger.runs(mark).findLast(({ error }) => error)?.error);
        },
        ({ status }) => status >= 500,
      ),
    run: (event) =>
      step(acting.run, event === undefined ? "run" : `run ${shown(event)}`, async (runtime, mark) => {
        const given = event === undefined ? {} : { event: event as Json };
        await runtime.invoke(need("run()").id, { ...given, force: true });
        const [run] = ledger.runs(mark);
        if (!run) throw new HarnessError("The run has left no trace: the runtime did not observe it.");
        return run;
      }),
    route: upstream.route,
    setDb: (values) =>
      step(acting.setDb, `setDb ${shown(values)}`, async (runtime) => {
        const store = await runtime.db(need("setDb()").id);
        for (const [key, value] of Object.entries(values)) await store.set(key, value);
      }),
    clear: ledger.clear,
    async close() {
      await former;
      await stand.close();
      stand.answerer?.close?.();
    },
    [Symbol.asyncDispose]: () => acting.close(),
    get emits() {
      return ledger.runs().flatMap(({ emits }) => emits);
    },
    get deduped() {
      return ledger.runs().flatMap(({ deduped }) => deduped);
    },
    get errors() {
      return ledger.runs().flatMap(({ error }) => error ?? []);
    },
    get logs() {
      return ledger.logs();
    },
    get calls() {
      return ledger.calls();
    },
    get runs() {
      return ledger.runs();
    },
    get db() {
      return db;
    },
    get timeline() {
      return ledger.timeline();
    },
    get story() {
      return storyOf(ledger.timeline(), stand.startMs);
    },
    get underWay() {
      return [...underWay];
    },
    get now() {
      return clock.now();
    },
  };
  return { acting, need, step, changing };
}
