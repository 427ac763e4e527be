import {
  XError,
  effectiveComponent,
  type Component,
  type ComponentShape,
  type GuestError,
  type Json,
  type LogRecord,
  type Problem,
  type PropShape,
  withMessage,
} from "@x/model";
import { type Answer, draftSource } from "../invocation/ask.ts";
import { askTraced, type TracedAskParts } from "../invocation/traced-ask.ts";
import { maxProps, readDynamicProps, type ConfiguredProps, type PropsRules } from "@x/components";
import type { DynamicPropsCache } from "./dynamic-props-cache.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";

export interface DynamicPropsParts extends TracedAskParts {
  readonly cache: DynamicPropsCache;
  readonly props: PropsRules;
}

/** What `additionalProps` computes the dynamic props from. */
export interface PropsBase {
  /** Without dynamic props. */
  readonly component: Component;
  readonly given: { readonly [prop: string]: Json };
  /** The deployed source, if there is one: `given` overrides its values, and the method can read its db. */
  readonly cached?: CachedSource;
  /** The dynamic props so far; the method gets their definitions. */
  readonly known: readonly PropShape[];
  /** The user who asks. */
  readonly userId: string;
}

export interface ComputedProps {
  /** Undefined: the method failed. */
  readonly props: readonly PropShape[] | undefined;
  /** Why the method failed, or which of its props are invalid. */
  readonly errors: readonly GuestError[];
  readonly observations: readonly LogRecord[];
  /** Hides the secrets that the method could read. */
  readonly mask: Answer["mask"];
}

const noMask: Answer["mask"] = (text) => text;

/** Computes the props that a component adds while it is configured. */
export interface DynamicPropsOf {
  /** Calls `additionalProps`; its exception becomes an item of `errors`. Rejects with `invalid_props` for invalid values. */
  compute(base: PropsBase): Promise<ComputedProps>;
  /**
   * The dynamic props of a source that is deployed or updated: those with the given id, or computed anew when a prop with
   * `reloadProps` has a value or the source had dynamic props. Rejects with `additional_props_failed`.
   */
  forSource(base: PropsBase & { readonly id?: string | undefined }): Promise<readonly PropShape[]>;
}

/** Definitions by name, as `additionalProps` gets them. */
export const definitionsOf = ({ props }: ComponentShape): { [prop: string]: Json } =>
  Object.fromEntries(props.map(({ name, ...definition }): [string, Json] => [name, definition as Json]));

function tooManyValues({ shape }: Component, count: number): XError {
  const message = `At most ${maxProps} values may be without a prop, got ${count}`;
  return new XError("invalid_props", [shape.name, message], {
    details: { errors: [{ path: "/configuredProps", message }] },
  });
}

/**
 * Adds a secret optional prop for every value without a prop: it may belong to a prop that is not known yet. Throws
 * `invalid_props` for more values than `additionalProps` may return props.
 */
function withUnknownProps(component: Component, given: object): Component {
  const known = new Set(component.shape.props.map(({ name }) => name));
  const unknown = Object.keys(given).filter((name) => !known.has(name) && name !== "__proto__");
  if (unknown.length > maxProps) throw tooManyValues(component, unknown.length);
  return effectiveComponent(
    component,
    unknown.map((name) => ({ name, type: "any", optional: true, secret: true })),
  );
}

/** True when a prop with `reloadProps` has a value. */
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
  const { cache, props: propsRules } = parts;

  async function compute({ component, given, cached, known, userId }: PropsBase): Promise<ComputedProps> {
    if (component.shape.additionalProps !== true) return { props: [], errors: [], observations: [], mask: noMask };
    const effective = effectiveComponent(component, known);
    const complete = withUnknownProps(effective, given);
    const configuredProps = propsRules.draft(complete.shape, given, cached?.source.configuredProps);
    const asked = cached
      ? { ...cached, component: complete, source: { ...cached.source, configuredProps } }
      : draftSource(complete, configuredProps, userId);
    const event = { previous: definitionsOf(effective.shape) };
    const answer: Answer = await askTraced(asked, { entry: "additionalProps", event, given }, parts);
    const { error, observations, mask } = answer;
    if (error) return { props: undefined, errors: [error], observations, mask };
    const { props, problems } = readDynamicProps(answer.result ?? "null", component.shape.props);
    return { props, errors: problems.map((problem) => problemError(problem, mask)), observations, mask };
  }

  return {
    compute,
    async forSource({ id, ...base }) {
      const { component, given, cached, known, userId } = base;
      if (id !== undefined) return cache.find(id, userId, component.id);
      if (component.shape.additionalProps !== true) return [];
      const { shape } = withUnknownProps(effectiveComponent(component, known), given);
      if (known.length === 0 && !reloads(shape, propsRules.draft(shape, given, cached?.source.configuredProps)))
        return [];
      const computed = await compute(base);
      if (computed.errors.length > 0) throw failed(component, computed);
      return computed.props ?? [];
    },
  };
}
