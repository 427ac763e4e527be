import type { Component, DeployInput, Source } from "@x/runtime";

import { appValues } from "./app-values.ts";
import { openStand } from "./stand.ts";
import { ComponentError } from "./component-error.ts";
import type { AnyFunction } from "./frames.ts";
import type { EmittedEvent } from "./emitted-event.ts";
import {
  findComponent,
  type GivenCode,
  type GivenComponent,
  type ImportedComponent,
} from "./component/given-component.ts";
import { HarnessError } from "./harness-error.ts";
import { secretsOf } from "./secrets.ts";
import type { Choices, SourceOptions } from "./source-options.ts";
import type { SourceUnderTest } from "./source-under-test.ts";
import { type Acting, createStage } from "./stage.ts";
import { withMembers } from "./with-members.ts";

/** The runtime checks what they hold. */
type Props = NonNullable<DeployInput["props"]>;

/**
 * Puts a component under test: the imported one, whose file is what runs, or where its code is. Nothing starts before the
 * first step. Throws `HarnessError` when it has no file.
 */
export function source<C extends ImportedComponent = ImportedComponent>(
  given: C | GivenCode,
  options: SourceOptions<C> = {},
): SourceUnderTest<EmittedEvent<C>> {
  return openSource(given, options, source);
}

/** `below` is the function that the test calls. */
export function openSource<C>(
  given: GivenComponent,
  options: SourceOptions<C>,
  below: AnyFunction,
): SourceUnderTest<EmittedEvent<C>> {
  const stand = openStand(given, options, below);
  const { ledger } = stand;
  let deployed: Source | undefined;
  let component: Component | undefined;
  let latest: GivenComponent = given;
  const { acting, need, step, changing } = createStage({
    stand,
    subject: () => deployed,
    words: {
      first: "a source that is deployed: await deploy()",
      noEndpoint: "an HTTP prop; this component has none",
    },
  });

  async function propsFor(props: object = {}): Promise<Props> {
    component ??= await stand.component();
    stand.answerer?.begin?.(secretsOf(component.shape, options));
    const { values, warnings } = appValues(component.shape, options.accounts ?? {}, props);
    ledger.warn(stand.clock.now(), warnings);
    const given: object = { ...values, ...props };
    return given as Props;
  }

  const self: Omit<SourceUnderTest, keyof Acting> = {
    deploy: ({ emitOnDeploy } = {}) =>
      step(self.deploy, "deploy", async (runtime, mark) => {
        if (deployed)
          throw new HarnessError("The source is deployed already: update() changes it, delete() removes it.");
        const props = await propsFor(options.props);
        ledger.warn(stand.clock.now(), component?.shape.warnings);
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
    update: ({ component: code, props, ...change } = { component: latest }) =>
      step(self.update, "update", async (runtime, mark) => {
        const { id } = need("update()");
        if (code !== undefined) {
          component = await stand.component(findComponent(code, options.root));
          latest = code;
          ledger.warn(stand.clock.now(), component.shape.warnings);
        }
        const reference = code === undefined ? {} : { componentId: component?.id ?? "" };
        const input = { ...reference, ...change, ...(props && { props: props as Props }) };
        deployed = (await changing(mark, runtime.update(id, input))).source;
      }),
    restart: () => step(self.restart, "restart", () => stand.restart()),
    delete: () =>
      step(self.delete, "delete", async (runtime, mark) => {
        await changing(mark, runtime.delete(need("delete()").id));
        deployed = undefined;
      }),
    options: (prop, { props, ...question } = {}) =>
      step(self.options, `options ${prop}`, async (runtime): Promise<Choices> => {
        const given = (deployed ? props : await propsFor({ ...options.props, ...props })) as Props | undefined;
        component ??= await stand.component();
        const whose = deployed ? { sourceId: deployed.id } : { id: component.id };
        const configured = given && { configuredProps: given };
        const answer = await runtime.configure({ ...whose, propName: prop, ...question, ...configured });
        const [error] = answer.errors;
        if (error) throw new ComponentError({ ...error, stack: stand.placeOf(error.stack), entry: "options" });
        return { options: answer.options, values: answer.options.map(({ value }) => value), context: answer.context };
      }),
    get hooks() {
      return ledger.runs().flatMap(({ entry }) => (entry === "run" ? [] : entry));
    },
    get endpoints() {
      return deployed?.endpoints ?? {};
    },
  };
  // Events come from outside: their type is what the component says of itself.
  return withMembers(acting, self) as SourceUnderTest<EmittedEvent<C>>;
}
