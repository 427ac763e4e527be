import type { ConformanceOptions } from "./conformance/stimulus.ts";
import { HarnessError } from "./harness-error.ts";
import { shown } from "./shown.ts";

type Name = keyof Required<ConformanceOptions>;

const ofSources: { readonly [Option in Exclude<Name, "requests" | "events">]: true } = {
  props: true,
  accounts: true,
  now: true,
  routes: true,
  root: true,
  name: true,
  settings: true,
  engine: true,
  limits: true,
};
/** Tests give the same options to `conformance`. */
const ofConformance: { readonly [Option in Name]?: true } = { requests: true, events: true };

/** Throws for an option that there is not: what it was to change would silently stay as it is. */
export function checkOptions(options: object): void {
  const known = { ...ofSources, ...ofConformance };
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  throw new HarnessError(`There is no option ${shown(unknown)}; the options are ${Object.keys(ofSources).join(", ")}.`);
}
