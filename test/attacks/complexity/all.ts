import type { ComplexInput } from "./complex-input.ts";
import { dbWriteInputs } from "./db-writes.ts";
import { declarationInputs } from "./declarations.ts";
import { explanationInputs } from "./explanations.ts";
import { hintInputs } from "./hints.ts";
import { madeTestInputs } from "./made-tests.ts";
import { propInputs } from "./props.ts";
import { requestInputs } from "./requests.ts";
import { secretInputs } from "./secrets.ts";

/** All inputs of the class, by what they are for. */
export const complexInputs: readonly ComplexInput[] = [
  ...dbWriteInputs,
  ...declarationInputs,
  ...explanationInputs,
  ...hintInputs,
  ...madeTestInputs,
  ...propInputs,
  ...requestInputs,
  ...secretInputs,
];
