import { type Component, type DeployInput, type Json, type Runtime, type Source } from "@x/runtime";

import { appValues } from "./app-values.ts";
import { type Bench, createBench } from "./bench.ts";
import { ComponentError } from "./component-error.ts";
import { parseDuration } from "./duration.ts";
import { type AnyFunction, callerFrames, placeInTest } from "./frames.ts";
import { findComponent, type GivenComponent } from "./given-component.ts";
import { HarnessError } from "./harness-error.ts";
import { answerOf, endpointRequest } from "./request-line.ts";
import { secretsOf } from "./secrets.ts";
import { shown } from "./shown.ts";
import type { Choices, SourceOptions } from "./source-options.ts";
import type { SourceUnderTest } from "./source-under-test.ts";
import { storyOf } from "./timeline.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { UnroutedError } from "./unrouted.ts";

/** What is wrong with the arguments is shown where the test gives them. */
function openBench(given: GivenComponent, options: SourceOptions, below: AnyFunction): Bench {
  const frames = callerFrames(below);
  try {
    return createBench(findComponent(given, options.root), options);
  } catch (error) {
    throw placeInTest(error, frames);
  }
}

/** The runtime checks what they hold. */
type Props = NonNullable<DeployInput["props"]>;

/** Puts a component under test. Nothing starts before the first step. */
export function source<C = unknown>(given: GivenComponent, options: SourceOptions<C> = {}): SourceUnderTest {
  return openSource(given, options, source);
}

/** `below` is the function that the test calls. */
export function openSource(given: GivenComponent, options: SourceOptions, below: AnyFunction): SourceUnderTest {
  const bench = openBench(given, options, below);
  const { clock, ledger, upstream } = bench;
  let deployed: Source | undefined;
  let component: Component | undefined;
  let db: { readonly [key: string]: Json } = {};
  let former: Promise<unknown> = Promise.resolve();

  const need = (what: string): Source => {
    if (deployed) return deployed;
    throw new HarnessError(`${what} needs a source that is deployed: await deploy() first.`);
  };

  async function settle(runtime: Runtime): Promise<void> {
    await runtime.idle();
    ledger.settle();
    const entries = deployed ? await runtime.dbEntries(deployed.id) : [];
    db = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  }

  /** Throws what went wrong in a step, what explains the rest first. `failure` is that of the step itself. */
  function checkStep(mark: number, isTold: boolean, failure: unknown): void {
    const unrouted = upstream.takeUnrouted();
    if (unrouted.length > 0) throw new UnroutedError(unrouted, upstream.routes);
    bench.answerer?.check?.();
    if (failure !== undefined) throw failure;
    const error = isTold ? undefined : ledger.runs(mark).find((run) => run.error)?.error;
    if (error) throw new ComponentError(error);
  }

  /** One step after another, each to its end; errors show where in the test it was called. */
  function step<T>(
    below: AnyFunction,
    text: string,
    work: (runtime: Runtime, mark: number) => Promise<T>,
    isTold: (result: T) => boolean = () => false,
  ): Promise<T> {
    const frames = callerFrames(below);
    const mine = former.then(async () => {
      const runtime = await bench.runtime();
      ledger.step(clock.now(), text);
      const mark = ledger.mark();
      const outcome = await work(runtime, mark).then(
        (result) => ({ result, failure: undefined }),
        (failure: unknown) => ({ result: undefined, failure: failure ?? new HarnessError(`${text} failed.`) }),
      );
      // A restart has made another one.
      await settle(await bench.runtime());
      try {
        checkStep(mark, outcome.failure === undefined && isTold(outcome.result), outcome.failure);
      } catch (error) {
        throw placeInTest(error, frames);
      }
      return outcome.result as T;
    });
    former = mine.catch(() => undefined);
    return mine;
  }

  /** A change that failed has not happened: what its hooks emitted is gone. */
  async function changing<T>(mark: number, change: Promise<T>): Promise<T> {
    try {
      return await change;
    } catch (error) {
      const last = ledger.runs(mark).at(-1);
      ledger.discard(mark, last?.entry === "activate" && !last.error ? last : undefined);
      throw explainRefusal(error, ledger.runs(mark).findLast((run) => run.error)?.error);
    }
  }

  async function propsFor(props: object = {}): Promise<Props> {
    component ??= await bench.component();
    bench.answerer?.begin?.(secretsOf(component.shape, options));
    const values: object = { ...appValues(component.shape, options.accounts ?? {}, props), ...props };
    return values as Props;
  }

  function httpProp(source: Source, wanted: string | undefined): string {
    const names = Object.keys(source.endpoints);
    const [first, ...others] = names;
    if (first === undefined) throw new HarnessError("request() needs an HTTP prop; this component has none.");
    if (wanted === undefined && others.length === 0) return first;
    if (wanted !== undefined && names.includes(wanted)) return wanted;
    const asked = wanted === undefined ? "" : `, and none is "${wanted}"`;
    throw new HarnessError(
      `The component has ${names.length === 1 ? "the HTTP prop" : "the HTTP props"} ${names.join(", ")}${asked}; say which: request("POST /", { prop: "${first}" }).`,
    );
  }

  const endpointUrl = (key: string): string => `http://127.0.0.1:7777/in/${key}`;

  const self: SourceUnderTest = {
    deploy: ({ emitOnDeploy } = {}) =>
      step(self.deploy, "deploy", async (runtime, mark) => {
        if (deployed)
          throw new HarnessError("The source is deployed already: update() changes it, delete() removes it.");
        const props = await propsFor(options.props);
        const { name, settings } = options;
        const input: DeployInput = {
          componentId: component?.id ?? "",
          props,
          ...(name !== undefined && { name }),
          ...(settings && { settings }),
          ...(emitOnDeploy !== undefined && { emitOnDeploy }),
        };
        deployed = (await changing(mark, runtime.deploy(input))).source;
      }),
    tick: (duration) =>
      step(self.tick, duration === undefined ? "tick" : `tick ${duration}`, async (runtime, mark) => {
        const next = clock.next();
        if (duration === undefined && next === undefined)
          throw new HarnessError(
            'tick() has nothing to move to: no timer is due. Give it a duration, such as tick("1m").',
          );
        const target = duration === undefined ? (next ?? 0) : clock.now() + parseDuration(duration);
        // From one due time to the next, so that each run sees its own time.
        for (let due = clock.next(); due !== undefined && due <= target; due = clock.next()) {
          clock.advance(Math.max(0, due - clock.now()));
          await runtime.idle();
        }
        clock.advance(Math.max(0, target - clock.now()));
        return ledger.runs(mark);
      }),
    request: (line, parts = {}) =>
      step(
        self.request,
        line,
        async (runtime, mark) => {
          const current = need("request()");
          const key = current.endpoints[httpProp(current, parts.prop)] ?? "";
          const answer = await runtime.request(key, endpointRequest(line, parts, endpointUrl(key)));
          await runtime.idle();
          return answerOf(answer, ledger.runs(mark).findLast(({ error }) => error)?.error);
        },
        ({ status }) => status >= 500,
      ),
    run: (event) =>
      step(self.run, event === undefined ? "run" : `run ${shown(event)}`, async (runtime, mark) => {
        const given = event === undefined ? {} : { event: event as Json };
        await runtime.invoke(need("run()").id, { ...given, force: true });
        const [run] = ledger.runs(mark);
        if (!run) throw new HarnessError("The run has left no trace: the runtime did not observe it.");
        return run;
      }),
    update: ({ component: code, props, ...change }) =>
      step(self.update, "update", async (runtime, mark) => {
        const { id } = need("update()");
        if (code !== undefined) component = await bench.component(findComponent(code, options.root));
        const reference = code === undefined ? {} : { componentId: component?.id ?? "" };
        const input = { ...reference, ...change, ...(props && { props: props as Props }) };
        deployed = (await changing(mark, runtime.update(id, input))).source;
      }),
    restart: () => step(self.restart, "restart", () => bench.restart()),
    delete: () =>
      step(self.delete, "delete", async (runtime, mark) => {
        await changing(mark, runtime.delete(need("delete()").id));
        deployed = undefined;
      }),
    options: (prop, { props, ...question } = {}) =>
      step(self.options, `options ${prop}`, async (runtime): Promise<Choices> => {
        const given = (deployed ? props : await propsFor({ ...options.props, ...props })) as Props | undefined;
        component ??= await bench.component();
        const whose = deployed ? { sourceId: deployed.id } : { id: component.id };
        const configured = given && { configuredProps: given };
        const answer = await runtime.configure({ ...whose, propName: prop, ...question, ...configured });
        const [error] = answer.errors;
        if (error) throw new ComponentError({ ...error, stack: bench.placeOf(error.stack), entry: "options" });
        return { options: answer.options, values: answer.options.map(({ value }) => value), context: answer.context };
      }),
    route: upstream.route,
    setDb: (values) =>
      step(self.setDb, `setDb ${shown(values)}`, async (runtime) => {
        const store = await runtime.db(need("setDb()").id);
        for (const [key, value] of Object.entries(values)) await store.set(key, value);
      }),
    clear: ledger.clear,
    async close() {
      await former;
      await bench.close();
      bench.answerer?.close?.();
    },
    [Symbol.asyncDispose]: () => self.close(),

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
      return ledger.runs().flatMap(({ logs }) => logs);
    },
    get calls() {
      return ledger.calls();
    },
    get runs() {
      return ledger.runs();
    },
    get hooks() {
      return ledger.runs().flatMap(({ entry }) => (entry === "run" ? [] : entry));
    },
    get db() {
      return db;
    },
    get timeline() {
      return ledger.timeline();
    },
    get story() {
      return storyOf(ledger.timeline(), bench.startMs);
    },
    get now() {
      return clock.now();
    },
    get endpoints() {
      return Object.fromEntries(
        Object.entries(deployed?.endpoints ?? {}).map(([prop, key]) => [prop, endpointUrl(key)]),
      );
    },
  };
  return self;
}
