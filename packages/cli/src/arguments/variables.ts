import type { Json } from "@x/runtime";

import { namedVariable } from "../environment.ts";
import { UsageError } from "../errors.ts";

const reference = /\$?\$\{([A-Z_][A-Z0-9_]*)\}/g;

function fillText(text: string, where: string): string {
  return text.replaceAll(reference, (written, name: string) => {
    if (written.startsWith("$$")) return written.slice(1);
    const value = namedVariable(name);
    if (value !== undefined) return value;
    throw new UsageError(
      `${where} has \${${name}}, and no variable of the environment has that name; for the text itself write $\${${name}}`,
    );
  });
}

/** A value with variables of the environment in place of `${NAME}`, at any depth. Throws `UsageError` for an unknown one. */
export function fillVariables(value: Json, where: string): Json {
  if (typeof value === "string") return fillText(value, where);
  if (Array.isArray(value)) return value.map((each) => fillVariables(each, where));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillVariables(each, where)]));
}
