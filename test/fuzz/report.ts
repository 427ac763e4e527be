import { inspect } from "node:util";

import type { Failure } from "./campaign.ts";

const longestText = 2_000;

const cut = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}… (${text.length} characters)` : text;

/** A failure as text: the input, what is wrong, and the command that repeats it. */
export function describeFailure(name: string, seed: number, { input, error, path }: Failure): string {
  return [
    `${name}: an input fails`,
    `  input   ${cut(JSON.stringify(input))}`,
    `  because ${cut(error instanceof Error ? error.message : inspect(error))}`,
    ...(error instanceof Error && error.stack !== undefined
      ? [error.stack.split("\n    at ").slice(1, 6).join("\n          ")]
      : []),
    `  again   npm run fuzz -- --only ${name} --seed ${seed} --path ${path}`,
  ].join("\n");
}
