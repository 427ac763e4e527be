import type { Json } from "@x/model";
import { isRecord, shownKind } from "../shown-value.ts";

/** One choice in the form that responses have (S5). */
export interface Choice {
  readonly label: string;
  readonly value: Json;
}

/** The result of the options of a prop, in one form for all ways to write it. */
export interface Choices {
  readonly options: readonly Choice[];
  /** The options themselves when all of them are strings, else null. */
  readonly stringOptions: readonly string[] | null;
  /** The returned context of the next page, or null. */
  readonly context: Json;
}

/** The choices, or for an error message what was expected and what was returned instead. */
export type OptionsResult = Choices | { readonly expected: string; readonly got: string };

const expectedList = "an array of values or of {label, value}, or {options, context}";
const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Undefined for an invalid option. The default of a label is the value as text, and that of a value is the label. */
function findChoice(option: unknown): Choice | undefined {
  if (isPlain(option)) return { label: String(option), value: option };
  if (!isRecord(option)) return undefined;
  const { label, value } = option as { readonly label?: Json; readonly value?: Json };
  const hasLabel = isPlain(label);
  if (label !== undefined && label !== null && !hasLabel) return undefined;
  if (value === undefined) return hasLabel ? { label: String(label), value: label } : undefined;
  return { label: hasLabel ? String(label) : isPlain(value) ? String(value) : JSON.stringify(value), value };
}

/** Reads the parsed result of `options`; undefined stands for no result (R043, R053, S5). */
export function readOptions(result: unknown): OptionsResult {
  const isPaged = isRecord(result);
  const list = isPaged ? result["options"] : result;
  if (!Array.isArray(list)) {
    const got = isPaged && list !== undefined ? `{options: ${shownKind(list)}}` : shownKind(result);
    return { expected: expectedList, got: isPaged && list === undefined ? "an object without options" : got };
  }
  const options: Choice[] = [];
  for (const [index, option] of (list as unknown[]).entries()) {
    const choice = findChoice(option);
    if (!choice) {
      const got = isRecord(option) ? `an object with ${shownMembers(option)}` : shownKind(option);
      return { expected: `${expectedList}; option ${index} must be a value or {label, value}`, got };
    }
    options.push(choice);
  }
  const context = isPaged ? ((result["context"] as Json | undefined) ?? null) : null;
  return { options, stringOptions: list.every((each) => typeof each === "string") ? list : null, context };
}

const shownNames = 5;
function shownMembers(option: { readonly [name: string]: unknown }): string {
  const names = Object.keys(option);
  if (names.length === 0) return "no members";
  return `${names.slice(0, shownNames).join(", ").slice(0, 60)}${names.length > shownNames ? ", …" : ""}`;
}
