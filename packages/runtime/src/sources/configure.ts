import {
  XError,
  effectiveComponent,
  errorText,
  type Component,
  type GuestError,
  type Json,
  type PropShape,
  withMessage,
} from "@x/model";
import type {
  ConfigureInput,
  ConfigureTarget,
  DynamicPropsAnswer,
  DynamicPropsInput,
  OptionsAnswer,
} from "../api/api.ts";
import { draftSource } from "../invocation/ask.ts";
import { askTraced } from "../invocation/traced-ask.ts";
import { findAsked, readOptions, type Choices, type Components } from "@x/components";
import {
  type ComputedProps,
  definitionsOf,
  type DynamicPropsOf,
  type DynamicPropsParts,
  type PropsBase,
} from "./dynamic-props.ts";
import { maskWith } from "../invocation/secrets/secret-mask.ts";
import type { CachedSource, SourceCache } from "../invocation/lane/source-cache.ts";
import type { Sources } from "./sources.ts";
import type { Store } from "@x/store";

export interface ConfigureParts extends DynamicPropsParts {
  readonly store: Pick<Store, "component">;
  readonly components: Pick<Components, "resolve">;
  readonly sources: Pick<Sources, "own">;
  readonly sourceCache: Pick<SourceCache, "get">;
  readonly dynamicProps: DynamicPropsOf;
}

/** Computes options and dynamic props while the props of a component are filled in. Stores nothing. */
export interface Configure {
  options(input: ConfigureInput, userId: string): Promise<OptionsAnswer>;
  dynamicProps(input: DynamicPropsInput, userId: string): Promise<DynamicPropsAnswer>;
}

/** The component, or deployed source, that is configured. */
interface Target {
  readonly component: Component;
  readonly cached?: CachedSource;
  readonly known: readonly PropShape[];
  readonly userId: string;
}

const noChoices: Choices = { options: [], stringOptions: null, context: null };

function answerOf(result: Choices | GuestError, observations: OptionsAnswer["observations"]): OptionsAnswer {
  return "code" in result ? { ...noChoices, errors: [result], observations } : { ...result, errors: [], observations };
}

function checkPage(page: number): void {
  if (Number.isSafeInteger(page) && page >= 0) return;
  throw new XError("invalid_parameter", ["page", "an integer of at least 0", String(page)]);
}

const maskedProp = (prop: PropShape, mask: (text: string) => string): PropShape =>
  maskWith(mask).value(prop as object as Json) as object as PropShape;

export function createConfigure(parts: ConfigureParts): Configure {
  const { components, cache, dynamicProps, props: propsRules } = parts;

  type Known = Target["known"];
  const knownProps = async (id: string | undefined, userId: string, { id: of }: Component, own: Known = []) =>
    id === undefined ? own : cache.find(id, userId, of);

  async function targetOf(
    input: ConfigureTarget & Pick<ConfigureInput, "dynamicPropsId">,
    userId: string,
  ): Promise<Target> {
    const { dynamicPropsId } = input;
    if (!("sourceId" in input)) {
      const component = await components.resolve({ key: input.id }, userId);
      return { component, known: await knownProps(dynamicPropsId, userId, component), userId };
    }
    await parts.sources.own(input.sourceId, userId);
    const cached = await parts.sourceCache.get(input.sourceId);
    const { componentId, dynamicProps: own } = cached.source;
    const component = await parts.store.component(componentId);
    if (!component) throw new XError("not_found", ["component", componentId]);
    return { component, cached, known: await knownProps(dynamicPropsId, userId, component, own), userId };
  }

  /** The dynamic props; computed anew when one of `names` is unknown. */
  async function completed(
    target: Target,
    names: readonly string[],
    given: PropsBase["given"],
  ): Promise<Omit<ComputedProps, "mask">> {
    const { shape } = effectiveComponent(target.component, target.known);
    const declared = new Set(shape.props.map((prop) => prop.name));
    if (names.every((name) => declared.has(name))) return { props: target.known, errors: [], observations: [] };
    return dynamicProps.compute({ ...target, given });
  }

  function readResult(
    propName: string,
    result: string | undefined,
    mask: (text: string) => string = (text) => text,
  ): Choices | GuestError {
    const read = readOptions(result === undefined ? undefined : (JSON.parse(result) as unknown));
    if ("options" in read) return read;
    const code = "invalid_result";
    const message = mask(errorText("invalid_result", `options of prop "${propName}"`, read.expected, read.got));
    return { ...withMessage(code, message), stack: `${code}: ${message}` };
  }

  return {
    async options(input, userId) {
      const { propName, configuredProps: given = {}, page = 0, prevContext, query } = input;
      checkPage(page);
      const target = await targetOf(input, userId);
      const { component, cached } = target;
      const {
        props: known = [],
        errors,
        observations,
      } = await completed(target, [propName, ...Object.keys(given)], given);
      if (errors.length > 0) return { ...noChoices, errors, observations };

      const effective = effectiveComponent(component, known);
      const prop = findAsked(effective.shape, propName);
      const configuredProps = propsRules.draft(effective.shape, given, cached?.source.configuredProps);
      if (prop.options) return answerOf(readResult(propName, JSON.stringify(prop.options)), observations);
      const asked = cached
        ? { ...cached, component: effective, source: { ...cached.source, configuredProps } }
        : draftSource(effective, configuredProps, userId);
      const dynamic = known.some(({ name }) => name === propName);
      const event = {
        prop: propName,
        page,
        prevContext: prevContext ?? {},
        ...(query === undefined ? {} : { query }),
        ...(dynamic ? { dynamic, previous: definitionsOf(effective.shape) } : {}),
      };
      const answer = await askTraced(asked, { entry: "options", event, given }, parts);
      return answerOf(answer.error ?? readResult(propName, answer.result, answer.mask), [
        ...observations,
        ...answer.observations,
      ]);
    },

    async dynamicProps(input, userId) {
      const { configuredProps: given = {} } = input;
      const target = await targetOf(input, userId);
      const { component, cached } = target;
      const { props, errors, observations, mask } = await dynamicProps.compute({ ...target, given });
      if (!props) return { dynamicProps: null, errors, observations };
      const { shape } = effectiveComponent(component, props);
      // Refuses values without a prop. With errors it cannot: the prop may be one of the invalid ones.
      if (errors.length === 0) propsRules.draft(shape, given, cached?.source.configuredProps);
      // The client has not given the secrets that the source has.
      const shown = cached ? shape.props.map((prop) => maskedProp(prop, mask)) : shape.props;
      const found = { id: cache.add(userId, component.id, props), configurableProps: shown };
      return { dynamicProps: found, errors, observations };
    },
  };
}
