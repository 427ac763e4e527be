import type { GuestError } from "../../model/model.ts";
import type { ThrownError } from "../../sandbox/contract.ts";
import type { AuthorSource } from "./author-source.ts";
import { authorStack } from "./author-stack.ts";
import { withCallSite } from "./call-site.ts";
import { nodeWords } from "./engine-words.ts";
import { type Declared, hintFor } from "./hint.ts";

/** A component's error in the author's files and the words that authors know, and what helps against it. */
export function explainError(error: ThrownError, source: AuthorSource, declared: Declared): GuestError {
  const { code, name, message, stack } = error;
  const mapped = authorStack(stack === "" ? `${name}: ${message}` : stack, source);
  if (code !== "component_threw" && code !== "sandbox_crashed") return { code, name, message, stack: mapped };
  const words = nodeWords({ name, message, stack }, source);
  const hint = hintFor(words, source, declared);
  return {
    code,
    name: words.name,
    message: words.message,
    stack: withCallSite(mapped, error, source),
    ...(hint !== undefined && { hint }),
  };
}
