import type { Command } from "../command.ts";
import { columns, printResult } from "../client/output.ts";
import { errorCatalogue, findErrorRow } from "@x/runtime/errors";

import { exitCodes } from "../exit-code.ts";
import { findNearest } from "../arguments/nearest.ts";
import { UsageError } from "../errors.ts";
import { type Explanation, namedErrors } from "./named-errors.ts";
import { lintRules } from "./lint-rules.ts";

const named: { readonly [name: string]: Explanation } = { ...namedErrors, ...lintRules };

/** The explanation of a code or name, in any case. Throws `UsageError` with the nearest one. */
export function findExplanation(name: string): Explanation & { readonly code: string; readonly exit_code?: number } {
  const known = [...Object.keys(errorCatalogue), ...Object.keys(named)];
  // The form in messages: error[invalid_props]
  const wanted = name.replace(/^error\[(.*)\]:?$/, "$1");
  const code = known.find((each) => each.toLowerCase() === wanted.toLowerCase());
  if (code === undefined) {
    const nearest = findNearest(wanted, known);
    const hint = nearest === undefined ? "" : ` did you mean ${nearest}?`;
    throw new UsageError(`There is no code "${name}";${hint} x explain lists all`);
  }
  const row = findErrorRow(code);
  const { meaning, cause, fix } = row ?? named[code] ?? { meaning: "", cause: "", fix: "" };
  return { code, meaning, cause, fix, ...(row && { exit_code: exitCodes[row.exit] }) };
}

const explainedCodes = (): { code: string; meaning: string }[] =>
  Object.entries({ ...errorCatalogue, ...named }).map(([code, { meaning }]) => ({ code, meaning }));

/** `x explain`: describes an error code. */
export const explainCommand: Command = {
  operands: "[CODE]",
  details:
    "Without CODE it lists all codes: error codes, names of errors in logs and $errors records, and rules of x lint.",
  flags: [{ name: "json", about: "print JSON" }],
  examples: ["x explain invalid_props", "x explain DedupeIdRequiredError", "x explain unused-prop", "x explain --json"],
  run(args) {
    const [code, extra] = args.operands;
    if (extra !== undefined) throw new UsageError(`One CODE at a time; "${extra}" is one too many`);
    if (code === undefined) {
      const codes = explainedCodes();
      return Promise.resolve(printResult(args, codes, columns(codes.map((each) => [each.code, each.meaning]))));
    }
    const found = findExplanation(code);
    const exit = found.exit_code === undefined ? [] : ["", `Exit code of x: ${found.exit_code}.`];
    const text = [found.code, "", found.meaning, "", `Why: ${found.cause}`, "", `What to do: ${found.fix}`, ...exit];
    return Promise.resolve(printResult(args, found, text));
  },
};
