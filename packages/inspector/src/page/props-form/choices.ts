import type * as Rest from "@x/client";
import { request } from "../api/client.ts";
import type { PropValues } from "./draft.ts";
import { type Choice, choiceOf, type PropShape, textOf } from "./prop-shape.ts";

/** What is configured: a component by id or key, or a source. */
export type FormTarget =
  | { readonly component: string }
  /** `component` is that of the source. */
  | { readonly source: string; readonly component: string };

/** One page of choices. */
export interface ChoicePage {
  readonly choices: readonly Choice[];
  /** For the next page. */
  readonly context: unknown;
}

export interface ChoiceQuestion {
  readonly target: FormTarget;
  readonly prop: PropShape;
  /** The values so far. */
  readonly values: PropValues;
  readonly dynamicPropsId: string | undefined;
  readonly page: number;
  readonly context: unknown;
  readonly query: string;
}

/** Asks a component for the choices of a prop. Throws what it throws. */
export async function askChoices(question: ChoiceQuestion, signal: AbortSignal): Promise<ChoicePage> {
  const { target, prop, values, dynamicPropsId, page, context, query } = question;
  const body = {
    prop_name: prop.name,
    configured_props: values,
    page,
    ...(page > 0 && context !== null && { prev_context: context }),
    ...(query !== "" && { query }),
    ...(dynamicPropsId !== undefined && { dynamic_props_id: dynamicPropsId }),
  };
  const path = "source" in target ? `/sources/${target.source}/configure` : "/components/configure";
  const given = "source" in target ? body : { ...body, id: target.component };
  const answer = await request<Rest.Options>("POST", path, { body: given, signal });
  const [error] = answer.errors;
  if (error) throw new Error(`${error.name}: ${error.message}`);
  return { choices: answer.options.map(choiceOf), context: answer.context };
}

const keyOf = ({ value }: Choice): string => textOf(value);

/** Adds a page to the choices so far. `more`: it was not empty and brought new ones, so that there may be another. */
export function addChoices(
  known: readonly Choice[],
  page: readonly Choice[],
): { readonly choices: readonly Choice[]; readonly more: boolean } {
  const seen = new Set(known.map(keyOf));
  const fresh = page.filter((choice) => !seen.has(keyOf(choice)));
  return { choices: [...known, ...fresh], more: fresh.length > 0 };
}

/** The props that a component has for these values. */
export interface DynamicProps {
  readonly id: string;
  readonly props: readonly PropShape[];
}

/** Asks a component for the props that it adds; with a source, that has what the form does not. Throws what it throws. */
export async function askProps(
  target: FormTarget,
  values: PropValues,
  known: string | undefined,
): Promise<DynamicProps | undefined> {
  const given = { configured_props: values, ...(known !== undefined && { dynamic_props_id: known }) };
  const path = "source" in target ? `/sources/${target.source}/props` : "/components/props";
  const body = "source" in target ? given : { ...given, id: target.component };
  const { dynamic_props: found, errors } = await request<Rest.DynamicProps>("POST", path, { body });
  const [error] = errors;
  if (error) throw new Error(`${error.name}: ${error.message}`);
  return found ? { id: found.id, props: found.configurable_props } : undefined;
}
