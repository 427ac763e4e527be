import type { Json } from "../../model/model.ts";
import { isRecord } from "../shown-value.ts";

/** Is a value in the form `{"__lv": …}`, in which a client keeps the label of a choice beside its value? */
const isLabelValue = (value: unknown): value is { readonly __lv: Json } =>
  isRecord(value) && Object.hasOwn(value, "__lv");

/** One chosen item, which may carry its label. */
const itemValue = (item: Json): Json => (isRecord(item) && Object.hasOwn(item, "value") ? item["value"] : item) as Json;

/** The plain value of a choice: `{"__lv": {label, value}}`, a list in it, a list of them, or a value as it is. */
export function plainValue(value: Json): Json {
  if (isLabelValue(value)) {
    return Array.isArray(value.__lv) ? value.__lv.map(itemValue) : itemValue(value.__lv);
  }
  return Array.isArray(value) ? value.map((item) => (isLabelValue(item) ? plainValue(item) : item)) : value;
}

/** The value with its label, for props that ask for it; what has no label is its own. */
export function labelledValue(value: Json): Json {
  if (isLabelValue(value)) return labelledValue(value.__lv);
  if (Array.isArray(value)) return value.map(labelledValue);
  const hasValue = isRecord(value) && Object.hasOwn(value, "value");
  if (value === null || (isRecord(value) && !hasValue)) return value;
  const item = hasValue ? (value as { readonly label?: Json; readonly value: Json }) : { value };
  return { label: item.label ?? labelOf(item.value), value: item.value };
}

const labelOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
