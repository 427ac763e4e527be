import { deserialize, serialize } from "node:v8";

import { XError, type ErrorCode, type ErrorDetails } from "@x/model";

/** What one node asks the owner of a source. */
export interface Question {
  /** The id whose slot decides who answers. */
  readonly to: string;
  readonly method: string;
  readonly args: readonly unknown[];
  /** The acting user. */
  readonly userId?: string | undefined;
}

/** An answer; `moved`: the asked node is not the owner, and has done nothing. */
export type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } }
  | { readonly moved: true };

export const encodeQuestion = (question: Question): Uint8Array => serialize(question);
export const decodeQuestion = (body: Uint8Array): Question => deserialize(body) as Question;

/** What an error tells the asking node. Unexpected errors stay on the node where they occurred. */
export function errorAnswer(error: unknown): Answer {
  if (!XError.is(error))
    return { error: { code: "internal", message: new XError("internal", []).message, details: {} } };
  const { code, message, details } = error;
  return { error: { code, message, details } };
}

export function encodeAnswer(answer: Answer): Uint8Array {
  return serialize(answer);
}

/** The answer of a call that failed. */
export function encodeError(error: unknown): Uint8Array {
  const answer = errorAnswer(error);
  try {
    return serialize(answer);
  } catch {
    // Details of an embedder's error may be anything.
    return serialize("error" in answer ? { error: { ...answer.error, details: {} } } : answer);
  }
}

export const decodeAnswer = (body: Uint8Array): Answer => deserialize(body) as Answer;

/** The error of another node. */
export function restoreError({ code, message, details }: Extract<Answer, { error: unknown }>["error"]): XError {
  const error = new XError("internal", [], { details });
  Object.defineProperties(error, {
    code: { value: code, enumerable: true },
    message: { value: message },
    name: { value: `XError [${code}]` },
  });
  return error;
}
