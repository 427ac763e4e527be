import type { Component, Json, Source } from "./model.ts";

/** Values shorter than this are too common to mask (S16). */
const shortestSecret = 6;
const mask = "***";

/** Every text inside a value, at any depth. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(textsOf);
}

/** Replaces the values of a source's secret props and account credentials in text that leaves the runtime (S16). */
export function secretMask(
  component: Component,
  source: Source,
  auth: { readonly [prop: string]: Json },
): (text: string) => string {
  const values = Object.values(auth).flatMap(textsOf);
  for (const prop of component.shape.props) {
    if (prop.secret === true) values.push(...textsOf(source.configuredProps[prop.name]));
  }
  const secrets = values
    .filter((value) => value.length >= shortestSecret)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1)]);
  if (secrets.length === 0) return (text) => text;
  // Longest first, so that a secret that contains another is masked whole.
  const ordered = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, secret) => masked.replaceAll(secret, mask), text);
}
