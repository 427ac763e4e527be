import type { GuestError } from "../../model.ts";
import type { AuthorSource } from "./author-source.ts";
import { nodeWords } from "./engine-words.ts";
import { type Declared, hintFor } from "./hint.ts";

/** A component's error in the words that authors know, and what helps against it; its stack is the bundle's. */
export function explainError(
  { name, message, stack }: Pick<GuestError, "name" | "message" | "stack">,
  source: AuthorSource,
  declared: Declared,
): Pick<GuestError, "name" | "message" | "hint"> {
  const words = nodeWords({ name, message, stack }, source);
  const hint = hintFor(words, source, declared);
  return { name: words.name, message: words.message, ...(hint !== undefined && { hint }) };
}
