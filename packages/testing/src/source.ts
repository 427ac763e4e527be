import type { Component, DeployInput, Json, RestoredState, Runtime, Source } from "@x/runtime";

import { appValues, secretsOf } from "./accounts.ts";
import { withActions } from "./actions.ts";
import { withAppEvents } from "./app-event.ts";
import { ComponentError } from "./component-error.ts";
import type { EmittedEvent } from "./component-types.ts";
import { findComponent, type GivenCode, type GivenComponent, type ImportedComponent } from "./component/given.ts";
import type { AnyFunction } from "./frames.ts";
import { HarnessError } from "./harness-error.ts";
import { checkNames } from "./known-names.ts";
import type { Choices, Question, SourceOptions } from "./source-options.ts";
import { createSteps } from "./steps.ts";
import { openTestRuntime } from "./test-runtime.ts";
import type { SourceState, SourceUnderTest, UnderTest } from "./under-test.ts";

/** Unchecked: the runtime checks the values. */
type Props = NonNullable<DeployInput["props"]>;

/**
 * Puts a component under test: the imported object, or the URL, path or text of its code. The first step starts the
 * runtime. Throws `HarnessError` when the component has no file.
 */
export function source<C extends ImportedComponent = ImportedComponent>(
  given: C | GivenCode,
  options: SourceOptions<C> = {},
): SourceUnderTest<EmittedEvent<C>> {
  return openSource(given, options, source);
}

const isList = (ids: SourceState["dedupeIds"]): ids is readonly string[] => Array.isArray(ids);

function restoredState(state: SourceState): RestoredState {
  checkNames("part of a state", state, ["db", "dedupeIds"], "parts of a state");
  const { db = {}, dedupeIds = {} } = state;
  return { db: db as { readonly [key: string]: Json }, dedupeIds: isList(dedupeIds) ? { "": dedupeIds } : dedupeIds };
}

/** As `source`. `below` is the function that the test calls: frames above it are left out of stacks. */
export function openSource<C>(
  given: GivenComponent,
  options: SourceOptions<C>,
  below: AnyFunction,
): SourceUnderTest<EmittedEvent<C>> {
  const testRuntime = openTestRuntime(given, options, below);
  const { history, clock } = testRuntime;
  let deployed: Source | undefined;
  let component: Component | undefined;
  let latest: GivenComponent = given;
  const steps = createSteps({
    testRuntime,
    subject: () => deployed,
    firstStep: "a source that is deployed: await deploy()",
  });
  const { step, need, changing } = steps;

  async function propsFor(props: object = {}): Promise<Props> {
    component ??= await testRuntime.component();
    testRuntime.answerer?.begin?.(secretsOf(component.shape, options));
    const { values, warnings } = appValues(component.shape, options.accounts ?? {}, props);
    history.addWarnings(clock.now(), warnings);
    const given: object = { ...values, ...props };
    return given as Props;
  }

  async function choicesOf(runtime: Runtime, prop: string, { props, ...question }: Question): Promise<Choices> {
    checkNames("option", question, ["props", "page", "prevContext", "query"]);
    const given = (deployed ? props : await propsFor({ ...options.props, ...props })) as Props | undefined;
    component ??= await testRuntime.component();
    const owner = deployed ? { sourceId: deployed.id } : { id: component.id };
    const configured = given && { configuredProps: given };
    const answer = await runtime.configure({ ...owner, propName: prop, ...question, ...configured });
    const [error] = answer.errors;
    if (error) throw new ComponentError({ ...error, stack: testRuntime.withPaths(error.stack), entry: "options" });
    return { options: answer.options, values: answer.options.map(({ value }) => value), context: answer.context };
  }

  async function place(runtime: Runtime, mark: number, more: Partial<DeployInput>): Promise<void> {
    if (deployed) throw new HarnessError("The source is deployed already: update() changes it, delete() removes it.");
    const props = await propsFor(options.props);
    history.addComponent(clock.now(), component?.shape);
    const { name, settings } = options;
    const input: DeployInput = {
      componentId: component?.id ?? "",
      props,
      ...(name !== undefined && { name }),
      ...(settings && { settings }),
      ...more,
    };
    deployed = (await changing(mark, runtime.deploy(input))).source;
  }

  const self: Omit<SourceUnderTest, keyof UnderTest | "appEvent" | "eventNames"> = {
    deploy: (given = {}) =>
      step(self.deploy, "deploy", async (runtime, mark) => {
        checkNames("option", given, ["emitOnDeploy"]);
        await place(runtime, mark, given);
      }),
    restore: (state = {}) =>
      step(self.restore, "restore", async (runtime, mark) => {
        await place(runtime, mark, { restored: restoredState(state) });
      }),
    update: ({ component: code, props, ...change } = { component: latest }) =>
      step(self.update, "update", async (runtime, mark) => {
        checkNames("option", change, ["component", "props", "name", "active"]);
        const { id } = need("update()");
        if (code !== undefined) {
          component = await testRuntime.component(findComponent(code, options.root));
          latest = code;
          history.addComponent(clock.now(), component.shape);
        }
        const reference = code === undefined ? {} : { componentId: component?.id ?? "" };
        const input = { ...reference, ...change, ...(props && { props: props as Props }) };
        deployed = (await changing(mark, runtime.update(id, input))).source;
      }),
    restart: () => step(self.restart, "restart", () => testRuntime.restart()),
    delete: () =>
      step(self.delete, "delete", async (runtime, mark) => {
        await changing(mark, runtime.delete(need("delete()").id));
        deployed = undefined;
      }),
    options: (prop, question = {}) =>
      step(self.options, `options ${prop}`, (runtime) => choicesOf(runtime, prop, question)),
    get hooks() {
      return history.runs().flatMap(({ entry }) => (entry === "run" ? [] : entry));
    },
    get endpoints() {
      return deployed?.endpoints ?? {};
    },
  };
  const actions = withActions(testRuntime, steps, "an HTTP prop; this component has none", self);
  // The component declares the type of its events; what does not fit gets a warning.
  return withAppEvents(actions, { steps, history, deployed: () => deployed }) as SourceUnderTest<EmittedEvent<C>>;
}
