import { mapStack } from "../bundle/stack.ts";
import type { AuthorSource } from "./author-source.ts";
import { inNodeWords } from "./engine-words.ts";

/** A text with stacks of the bundle, in the author's files and the words that authors know. */
export const authorStack = (text: string, source: AuthorSource): string =>
  mapStack(inNodeWords(text, source), source.map);
