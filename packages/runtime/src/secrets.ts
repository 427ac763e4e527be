import type { Component, Json, Source } from "./model.ts";

/** Values shorter than this are too common to mask (S16). */
const shortestSecret = 6;
const hidden = "***";

/** Hides secrets in what leaves the runtime. */
export interface SecretMask {
  text(text: string): string;
  /** Inside a value: in its texts, keys and numbers. */
  value(value: Json): Json;
}

/** Every text inside a value, at any depth. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(textsOf);
}

/** Masks the values of a source's secret props and account credentials (S16). */
export function secretMask(component: Component, source: Source, auth: { readonly [prop: string]: Json }): SecretMask {
  const values = Object.values(auth).flatMap(textsOf);
  for (const prop of component.shape.props) {
    if (prop.secret === true) values.push(...textsOf(source.configuredProps[prop.name]));
  }
  const secrets = values
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  if (secrets.length === 0) return { text: (text) => text, value: (value) => value };
  // Longest first, so that a secret that contains another is masked whole.
  const ordered = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const mask = (text: string): string => ordered.reduce((masked, secret) => masked.replaceAll(secret, hidden), text);
  const maskValue = (value: Json): Json => {
    if (typeof value === "string") return mask(value);
    if (typeof value === "number") return mask(String(value)) === String(value) ? value : mask(String(value));
    if (Array.isArray(value)) return value.map(maskValue);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskValue(item)]));
  };
  return { text: mask, value: maskValue };
}
