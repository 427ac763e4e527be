import type { DbEntry, Json, Runtime } from "@x/runtime";

import { ComponentError, explainRefusal } from "./component-error.ts";
import { type AnyFunction, callerFrames, withTestFrames } from "./frames.ts";
import { HarnessError } from "./harness-error.ts";
import { checkTimers } from "./real-timers.ts";
import type { TestRuntime } from "./test-runtime.ts";
import { UnroutedError } from "./traffic/unrouted.ts";

/** The source or workflow under test, as the runtime knows it. */
export interface Subject {
  readonly id: string;
  /** Endpoint URL by name of the HTTP prop. */
  readonly endpoints: { readonly [prop: string]: string };
}

/** Runs the steps of a test one after another. */
export interface Steps {
  /** The subject. Throws `HarnessError` when it does not exist yet; `step` names the step that needs it. */
  need(step: string): Subject;
  /** Runs `work` after the steps before it and waits until the runtime is idle; errors show the frames of the test. */
  step<T>(
    below: AnyFunction,
    text: string,
    work: (runtime: Runtime, mark: number) => Promise<T>,
    isAnswered?: (result: T) => boolean,
  ): Promise<T>;
  /** Awaits a change of the source. When it fails, the history loses what its hooks emitted: the runtime undid it. */
  changing<T>(mark: number, change: Promise<T>): Promise<T>;
  /** Resolves when every step has ended. */
  ended(): Promise<unknown>;
  /** The db after the last step. */
  db(): Values;
  /** The data stores after the last step, by name. */
  dataStores(): { readonly [name: string]: Values };
  /** Texts of the steps that have not ended. */
  underWay(): readonly string[];
}

interface Values {
  readonly [key: string]: Json;
}

const valuesOf = (entries: readonly DbEntry[]): Values =>
  Object.fromEntries(entries.map(({ key, value }) => [key, value]));

export interface StepsInput {
  readonly testRuntime: TestRuntime;
  subject(): Subject | undefined;
  /** What must happen before the first run, for messages. */
  readonly firstStep: string;
}

export function createSteps({ testRuntime, subject, firstStep }: StepsInput): Steps {
  const { clock, history, upstream } = testRuntime;
  let previous: Promise<unknown> = Promise.resolve();
  let db: Values = {};
  let dataStores: { readonly [name: string]: Values } = {};
  const underWay: string[] = [];

  async function waitUntilIdle(runtime: Runtime): Promise<void> {
    await runtime.idle();
    history.addRemainingCalls();
    const current = subject();
    db = current ? valuesOf(await runtime.dbEntries(current.id)) : {};
    const names = (await runtime.dataStores()).map(({ name }) => name);
    const read = async (name: string) => [name, valuesOf(await runtime.dataStoreEntries(name))] as const;
    dataStores = Object.fromEntries(await Promise.all(names.map(read)));
  }

  /** Throws the first problem of a step; those that cause others come first. `failure` is the rejection of the step itself. */
  function checkStep(mark: number, isAnswered: boolean, failure: unknown): void {
    const unrouted = upstream.takeUnrouted();
    if (unrouted.length > 0) throw new UnroutedError(unrouted, upstream.routes);
    const [mistake] = upstream.takeMistakes();
    if (mistake) throw mistake;
    testRuntime.answerer?.check?.();
    if (failure !== undefined) throw failure;
    const error = isAnswered ? undefined : history.runs(mark).find((run) => run.error)?.error;
    if (error) throw new ComponentError(error);
  }

  async function execute<T>(
    text: string,
    work: (runtime: Runtime, mark: number) => Promise<T>,
    isAnswered: (result: T) => boolean,
  ): Promise<T> {
    checkTimers();
    const runtime = await testRuntime.runtime();
    history.addStep(clock.now(), text);
    const mark = history.mark();
    const outcome = await work(runtime, mark).then(
      (result) => ({ result, failure: undefined }),
      (failure: unknown) => ({ result: undefined, failure: failure ?? new HarnessError(`${text} failed.`) }),
    );
    // After a restart it is another runtime.
    await waitUntilIdle(await testRuntime.runtime());
    checkStep(mark, outcome.failure === undefined && isAnswered(outcome.result), outcome.failure);
    return outcome.result as T;
  }

  return {
    need(step) {
      const current = subject();
      if (current) return current;
      throw new HarnessError(`${step} needs ${firstStep} first.`);
    },
    step(below, text, work, isAnswered = () => false) {
      const frames = callerFrames(below);
      const current = previous
        .then(() => execute(text, work, isAnswered))
        .catch((error: unknown) => {
          throw withTestFrames(error, frames);
        });
      // Registered first, so that it runs before the test continues.
      const ended = (): void => void underWay.shift();
      current.then(ended, ended);
      underWay.push(text);
      previous = current.catch(() => undefined);
      // A promise of its own: if the test does not await it, its failure is an unhandled rejection, which fails the run.
      return current.then((result) => result);
    },
    async changing(mark, change) {
      try {
        return await change;
      } catch (error) {
        const last = history.runs(mark).at(-1);
        history.discard(mark, last?.entry === "activate" && !last.error ? last : undefined);
        throw explainRefusal(error, history.runs(mark).findLast((run) => run.error)?.error);
      }
    },
    ended: () => previous,
    db: () => db,
    dataStores: () => dataStores,
    underWay: () => [...underWay],
  };
}
