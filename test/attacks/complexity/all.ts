import { announcementInputs } from "./announcements.ts";
import type { ComplexInput } from "./complex-input.ts";
import { dataStoreInputs } from "./data-stores.ts";
import { dbWriteInputs } from "./db-writes.ts";
import { declarationInputs } from "./declarations.ts";
import { explanationInputs } from "./explanations.ts";
import { fanOutInputs } from "./fan-outs.ts";
import { hintInputs } from "./hints.ts";
import { madeTestInputs } from "./made-tests.ts";
import { propInputs } from "./props.ts";
import { requestInputs } from "./requests.ts";
import { secretInputs } from "./secrets.ts";
import { tokenAnswerInputs } from "./token-answers.ts";
import { spreadInputs } from "./spreads.ts";

/** All inputs of the class, by what they are for. */
export const complexInputs: readonly ComplexInput[] = [
  ...announcementInputs,
  ...dataStoreInputs,
  ...dbWriteInputs,
  ...declarationInputs,
  ...explanationInputs,
  ...fanOutInputs,
  ...hintInputs,
  ...madeTestInputs,
  ...propInputs,
  ...requestInputs,
  ...secretInputs,
  ...tokenAnswerInputs,
  ...spreadInputs,
];
