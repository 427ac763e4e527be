import type { Problem } from "./errors.ts";

/** What every component has. */
export const requiredMembers: readonly string[] = ["name", "version", "run"];

/**
 * True when a module with these problems is something else than a component, such as what components share or a sample
 * event: it is no object, or has at most one of the members that every component has.
 */
export function isNoComponent(problems: readonly Pick<Problem, "path">[]): boolean {
  const paths = new Set(problems.map(({ path }) => path));
  return paths.has("") || requiredMembers.filter((name) => paths.has(`/${name}`)).length > 1;
}
