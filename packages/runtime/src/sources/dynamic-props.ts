import { withMessage } from "../model/error-catalogue/guest-error.ts";
import { type Answer, ask, type AskParts, draftSource } from "../invocation/ask.ts";
import type { ConfiguredProps, PropsRules } from "../components/contract.ts";
import { effectiveComponent } from "../model/effective-component.ts";
import { type Problem, XError } from "../model/errors.ts";
import type { Component, ComponentShape, GuestError, Json, LogRecord, PropShape } from "../model/model.ts";
import { readDynamicProps } from "../components/props/dynamic-props.ts";
import type { KeptProps } from "./kept-props.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";

export interface DynamicPropsParts extends AskParts {
  readonly kept: KeptProps;
  readonly props: PropsRules;
}

/** What additional props are computed from. */
export interface PropsBase {
  /** As it is saved. */
  readonly component: Component;
  readonly given: { readonly [prop: string]: Json };
  /** The source, when it is deployed already: its values are the base of what is given, and its db can be read. */
  readonly cached?: CachedSource;
  /** Dynamic props that are known; the method is told of them. */
  readonly known: readonly PropShape[];
  /** Who asks. */
  readonly userId: string;
}

export interface ComputedProps {
  /** Undefined when the method failed. */
  readonly props: readonly PropShape[] | undefined;
  /** Why it failed, or which of its props cannot be used. */
  readonly errors: readonly GuestError[];
  readonly observations: readonly LogRecord[];
}

/** The props that components add while they are configured (G23, S6). */
export interface DynamicPropsOf {
  /** Calls `additionalProps`; what it throws is data. Rejects with `invalid_props` for values that no such prop could have. */
  compute(base: PropsBase): Promise<ComputedProps>;
  /**
   * The dynamic props of a source that is deployed or updated: those with the given id, or what the component says now when
   * a prop that reloads is configured, or there were such props before. Rejects with `additional_props_failed`.
   */
  forSource(base: PropsBase & { readonly id?: string | undefined }): Promise<readonly PropShape[]>;
}

/** Definitions by name, as `additionalProps` is given them. */
export const definitionsOf = ({ props }: ComponentShape): { [prop: string]: Json } =>
  Object.fromEntries(props.map(({ name, ...definition }): [string, Json] => [name, definition as Json]));

/** With a place for every given value: some may belong to props that are not known yet, and these may be secret. */
function withStrays(component: Component, given: object): Component {
  const known = new Set(component.shape.props.map(({ name }) => name));
  const strays = Object.keys(given).filter((name) => !known.has(name) && name !== "__proto__");
  return effectiveComponent(
    component,
    strays.map((name) => ({ name, type: "any", optional: true, secret: true })),
  );
}

/** Is a prop configured that asks for the others anew? */
const reloads = ({ props }: ComponentShape, configured: ConfiguredProps): boolean =>
  props.some(
    ({ name, reloadProps, static: fixed, default: preset }) =>
      reloadProps === true && (Object.hasOwn(configured, name) || fixed !== undefined || preset !== undefined),
  );

function problemError({ path, message }: Problem, mask: Answer["mask"]): GuestError {
  return withMessage("invalid_result", mask(path === "" ? message : `${message} (${path})`));
}

function failed(component: Component, { errors, observations }: ComputedProps): XError {
  const [first] = errors;
  return new XError(
    "additional_props_failed",
    [component.shape.name, errors.map(({ message }) => message).join("; ")],
    {
      details: { error_code: first?.code, name: first?.name, stack: first?.stack, observations },
    },
  );
}

export function createDynamicProps(parts: DynamicPropsParts): DynamicPropsOf {
  const { kept, props: propsRules } = parts;

  async function compute({ component, given, cached, known, userId }: PropsBase): Promise<ComputedProps> {
    if (component.shape.additionalProps !== true) return { props: [], errors: [], observations: [] };
    const effective = effectiveComponent(component, known);
    const told = withStrays(effective, given);
    const configuredProps = propsRules.draft(told.shape, given, cached?.source.configuredProps);
    const asked = cached
      ? { ...cached, component: told, source: { ...cached.source, configuredProps } }
      : draftSource(told, configuredProps, userId);
    const event = { previous: definitionsOf(effective.shape) };
    const answer: Answer = await ask(asked, { entry: "additionalProps", event, given }, parts);
    const { error, observations, mask } = answer;
    if (error) return { props: undefined, errors: [error], observations };
    const { props, problems } = readDynamicProps(answer.result ?? "null", component.shape.props);
    return { props, errors: problems.map((problem) => problemError(problem, mask)), observations };
  }

  return {
    compute,
    async forSource({ id, ...base }) {
      const { component, given, cached, known, userId } = base;
      if (id !== undefined) return kept.find(id, userId, component.id);
      if (component.shape.additionalProps !== true) return [];
      const { shape } = withStrays(effectiveComponent(component, known), given);
      if (known.length === 0 && !reloads(shape, propsRules.draft(shape, given, cached?.source.configuredProps)))
        return [];
      const computed = await compute(base);
      if (computed.errors.length > 0) throw failed(component, computed);
      return computed.props ?? [];
    },
  };
}
