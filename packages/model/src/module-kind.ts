import type { Problem } from "./errors.ts";

/** The members that every component has. */
export const requiredMembers: readonly string[] = ["name", "version", "run"];

/**
 * True when a module with these problems is not meant as a component, such as shared code or a sample event: it is not an
 * object, or has at most one of the required members.
 */
export function isNoComponent(problems: readonly Pick<Problem, "path">[]): boolean {
  const paths = new Set(problems.map(({ path }) => path));
  return paths.has("") || requiredMembers.filter((name) => paths.has(`/${name}`)).length > 1;
}
