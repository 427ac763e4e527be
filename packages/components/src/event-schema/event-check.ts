import type { Json } from "@x/model";
import { loadValidator } from "../props/validator.ts";
import type { JsonSchema } from "./schema-problem.ts";

/** Says what does not fit in an event, such as `/total must be number`; undefined when it fits. */
export type EventCheck = (event: Json) => string | undefined;

/**
 * Compiles the schema of events, which `findSchemaProblem` has accepted. For code that one trusts alone: a schema may make the check
 * of an event slow.
 */
export function createEventCheck({ $schema: _draft, ...schema }: JsonSchema): EventCheck {
  const { Ajv } = loadValidator();
  const validate = new Ajv({ strict: false, logger: false, validateFormats: false }).compile(schema);
  return (event) => {
    if (validate(event)) return undefined;
    const [first] = validate.errors ?? [];
    return first && `${first.instancePath || "it"} ${first.message ?? "does not fit"}`;
  };
}
