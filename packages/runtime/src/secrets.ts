import type { Component, Source } from "./model.ts";

/** Values shorter than this are too common to mask (S16). */
const shortestSecret = 6;
const mask = "***";

/** Replaces the values of a source's secret props in text that leaves the runtime (S16). */
export function secretMask(component: Component, source: Source): (text: string) => string {
  const secrets: string[] = [];
  for (const prop of component.shape.props) {
    const value = source.configuredProps[prop.name];
    if (prop.secret !== true) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === "string" && item.length >= shortestSecret)
        secrets.push(item, JSON.stringify(item).slice(1, -1));
    }
  }
  if (secrets.length === 0) return (text) => text;
  // Longest first, so that a secret that contains another is masked whole.
  const ordered = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((masked, secret) => masked.replaceAll(secret, mask), text);
}
