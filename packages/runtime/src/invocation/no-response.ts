import { guestError, type ComponentShape } from "@x/model";
import type { Outcome } from "@x/sandbox";

/** The outcome of a run that gave no response: an error when its request came to a prop with `customResponse: true`. */
export function requireResponse(outcome: Outcome, { props, workflow }: ComponentShape, httpProp?: string): Outcome {
  const prop = props.find(({ name, customResponse }) => name === httpProp && customResponse === true);
  if (!prop) return outcome;
  const respond = workflow ? "$.respond()" : `this.${prop.name}.respond()`;
  return { ...outcome, status: "error", error: guestError("no_response", respond) };
}
