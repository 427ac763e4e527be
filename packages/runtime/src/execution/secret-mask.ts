import type { Component, Json, Source } from "../model.ts";

/** Values shorter than this are too common to mask (S16). */
const shortestSecret = 6;
const hidden = "***";

/** Hides secrets in what leaves the runtime. */
export interface SecretMask {
  text(text: string): string;
  /** Inside a value: in its texts, keys and numbers. */
  value(value: Json): Json;
}

/** Changes texts, and with them the texts, keys and numbers inside values. */
export function maskWith(text: (text: string) => string): SecretMask {
  const value = (given: Json): Json => {
    if (typeof given === "string") return text(given);
    if (typeof given === "number") return text(String(given)) === String(given) ? given : text(String(given));
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, item]) => [text(key), value(item)]));
  };
  return { text, value };
}

/** Every text inside a value, at any depth; a number as it is written. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(textsOf);
}

/** Masks the values of a source's secret props and account credentials (S16). */
export function secretMask(component: Component, source: Source, auth: { readonly [prop: string]: Json }): SecretMask {
  const values = Object.values(auth).flatMap(textsOf);
  for (const prop of component.shape.props) {
    if (prop.secret === true) values.push(...textsOf(source.configuredProps[prop.name]));
  }
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  // As it is, in JSON, and in JSON that is shown in quotes.
  const secrets = values
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => [value, escaped(value), escaped(escaped(value)), escaped(value).replaceAll("\\", "\\\\")]);
  if (secrets.length === 0) return { text: (text) => text, value: (value) => value };
  // Longest first, so that a secret that contains another is masked whole.
  const ordered = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  const mask = (text: string): string => ordered.reduce((masked, secret) => masked.replaceAll(secret, hidden), text);
  return maskWith(mask);
}
