import type { Json } from "@x/runtime";

import { HarnessError } from "./harness-error.ts";
import { checkNames } from "./known-names.ts";
import { shown } from "./shown.ts";
import type { Steps, Subject } from "./steps.ts";
import type { TestRuntime } from "./test-runtime.ts";
import { parseDuration } from "./time.ts";
import { storyOf } from "./timeline.ts";
import { answerOf, endpointRequest } from "./traffic/request-line.ts";
import type { UnderTest } from "./under-test.ts";

function httpPropOf({ endpoints }: Subject, wanted: string | undefined, noEndpoint: string): string {
  const names = Object.keys(endpoints);
  const [first, ...others] = names;
  if (first === undefined) throw new HarnessError(`request() needs ${noEndpoint}.`);
  if (wanted === undefined && others.length === 0) return first;
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  const problem = wanted === undefined ? "" : `, and none is "${wanted}"`;
  throw new HarnessError(
    `The component has ${names.length === 1 ? "the HTTP prop" : "the HTTP props"} ${names.join(", ")}${problem}; name one: request("POST /", { prop: "${first}" }).`,
  );
}

type Acting = Pick<UnderTest, "tick" | "request" | "run" | "setDb" | "setDataStore">;
type Methods = Acting & Pick<UnderTest, "route" | "clear" | "close" | typeof Symbol.asyncDispose>;
type Reads = { readonly [Name in Exclude<keyof UnderTest, keyof Methods>]: () => UnderTest[Name] };

function createActing({ clock, history }: TestRuntime, { step, need }: Steps, noEndpoint: string): Acting {
  const acting: Acting = {
    tick: (duration) =>
      step(acting.tick, duration === undefined ? "tick" : `tick ${duration}`, async (_runtime, mark) => {
        const next = clock.next();
        if (duration === undefined && next === undefined) {
          need("tick()");
          throw new HarnessError(
            'tick() has nothing to move to: no timer is due. Give it a duration, such as tick("1m").',
          );
        }
        const target = duration === undefined ? (next ?? 0) : clock.now() + parseDuration(duration);
        await clock.advance(Math.max(0, target - clock.now()));
        return history.runs(mark);
      }),
    request: (line, parts = {}) =>
      step(
        acting.request,
        line,
        async (runtime, mark) => {
          const current = need("request()");
          const url = current.endpoints[httpPropOf(current, parts.prop, noEndpoint)] ?? "";
          const answer = await runtime.request(url, endpointRequest(line, parts, url));
          await runtime.idle();
          return answerOf(answer, history.runs(mark).findLast(({ error }) => error)?.error);
        },
        ({ status }) => status >= 500,
      ),
    run: (event, options = {}) =>
      step(acting.run, event === undefined ? "run" : `run ${shown(event)}`, async (runtime, mark) => {
        checkNames("option", options, ["prop"]);
        const given = event === undefined ? {} : { event: event as Json };
        const httpProp = options.prop === undefined ? {} : { httpProp: options.prop };
        await runtime.invoke(need("run()").id, { ...given, ...httpProp, force: true });
        const [run] = history.runs(mark);
        if (!run) throw new HarnessError("The runtime did not report the run.");
        return run;
      }),
    setDb: (values) =>
      step(acting.setDb, `setDb ${shown(values)}`, async (runtime) => {
        const store = await runtime.db(need("setDb()").id);
        for (const [key, value] of Object.entries(values)) await store.set(key, value);
      }),
    setDataStore: (name, values) =>
      step(acting.setDataStore, `setDataStore ${name} ${shown(values)}`, (runtime) =>
        runtime.writeDataStore(name, Object.entries(values) as [string, Json | undefined][]),
      ),
  };
  return acting;
}

/** Adds to `own` the members that sources and workflows under test share. `noEndpoint` says what `request` needs. */
export function withActions<Own extends object>(
  testRuntime: TestRuntime,
  steps: Steps,
  noEndpoint: string,
  own: Own,
): UnderTest & Own {
  const { clock, history, upstream, startMs } = testRuntime;
  const shared: Methods = {
    ...createActing(testRuntime, steps, noEndpoint),
    route: upstream.route,
    clear: history.clear,
    async close() {
      await steps.ended();
      await testRuntime.close();
      testRuntime.answerer?.close?.();
    },
    [Symbol.asyncDispose]: () => shared.close(),
  };
  const reads: Reads = {
    emits: () => history.runs().flatMap(({ emits }) => emits),
    deduped: () => history.runs().flatMap(({ deduped }) => deduped),
    errors: () => history.runs().flatMap(({ error }) => error ?? []),
    logs: history.logs,
    calls: history.calls,
    runs: () => history.runs(),
    db: steps.db,
    dataStores: steps.dataStores,
    timeline: history.timeline,
    story: () => storyOf(history.timeline(), startMs),
    underWay: steps.underWay,
    now: () => clock.now(),
  };
  const getters = Object.entries(reads).map(([name, get]) => [name, { get, enumerable: true }] as const);
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(shared),
      ...Object.fromEntries(getters),
      ...Object.getOwnPropertyDescriptors(own),
    },
  ) as UnderTest & Own;
}
