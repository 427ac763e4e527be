import type { Json } from "@x/model";
import { isRecord } from "../shown-value.ts";

/** True for the form `{"__lv": …}`, in which a client stores the label of a choice with its value. */
const isLabelValue = (value: unknown): value is { readonly __lv: Json } =>
  isRecord(value) && Object.hasOwn(value, "__lv");

/** A chosen item, which may have a label. */
const itemValue = (item: Json): Json => (isRecord(item) && Object.hasOwn(item, "value") ? item["value"] : item) as Json;

/** Removes labels: from `{"__lv": {label, value}}`, from lists of it, and from a list inside it. Other values stay unchanged. */
export function plainValue(value: Json): Json {
  if (isLabelValue(value)) {
    return Array.isArray(value.__lv) ? value.__lv.map(itemValue) : itemValue(value.__lv);
  }
  return Array.isArray(value) ? value.map((item) => (isLabelValue(item) ? plainValue(item) : item)) : value;
}

/** The value with its label, for props with `withLabel`; a value without a label is its own label. */
export function labelledValue(value: Json): Json {
  if (isLabelValue(value)) return labelledValue(value.__lv);
  if (Array.isArray(value)) return value.map(labelledValue);
  const hasValue = isRecord(value) && Object.hasOwn(value, "value");
  if (value === null || (isRecord(value) && !hasValue)) return value;
  const item = hasValue ? (value as { readonly label?: Json; readonly value: Json }) : { value };
  return { label: item.label ?? labelOf(item.value), value: item.value };
}

const labelOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
