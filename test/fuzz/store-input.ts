import type { Change } from "../../packages/store/src/contract.ts";

/** A change as JSON: the body of a trigger is base64. */
export type ChangeInput = { readonly [name: string]: unknown };

export function encodeChange(change: Change): ChangeInput {
  if (change.op !== "trigger.add" || change.trigger.body === undefined) return { ...change };
  return { ...change, trigger: { ...change.trigger, body: Buffer.from(change.trigger.body).toString("base64") } };
}

/** The change that an input stands for. */
export function readChange(input: ChangeInput): Change {
  const change = input as unknown as Change;
  if (change.op !== "trigger.add" || change.trigger.body === undefined) return change;
  const body = new Uint8Array(Buffer.from(String(change.trigger.body), "base64"));
  return { ...change, trigger: { ...change.trigger, body } };
}
