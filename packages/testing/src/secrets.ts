import type { ComponentShape } from "@x/runtime";

import type { SourceOptions } from "./source-options.ts";

const shortestSecret = 6;

const textsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

/** The secrets that a source was given: credentials and the values of secret props, those too short to tell left out. */
export function secretsOf({ props }: Pick<ComponentShape, "props">, given: SourceOptions): string[] {
  const values = given.props ?? {};
  const secret = props.filter((prop) => prop.secret === true).map(({ name }) => values[name]);
  return [...secret, given.accounts].flatMap(textsOf).filter(({ length }) => length >= shortestSecret);
}
