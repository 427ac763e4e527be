import type { Budget } from "@x/model";
import { branches, chainStart, chainText, isCallee, stepsPerChain } from "./chain.ts";
import { around, type Token } from "./tokens.ts";

/**
 * What happens to the value of a call: it is awaited, returned, given to a race, stored, or dropped.
 */
export type Outcome = "awaited" | "returned" | "raced" | "kept" | "dropped";

const waiting: readonly string[] = ["await", "yield"];
const keeping: readonly string[] = ["=", "??=", "||=", "&&=", "?", ":", "...", "??", "||", "&&"];
const maxSteps = 100;

/** The outcome of the call whose callee ends at the token. */
export function outcomeOf(tokens: readonly Token[], at: number, budget: Budget): Outcome {
  const textAt = (index: number): string => tokens[index]?.text ?? "";
  let start = chainStart(tokens, at);
  let kept = false;
  for (let step = 0; step < maxSteps && budget.take(stepsPerChain); step++) {
    let before = textAt(start - 1);
    if (before === "new") before = textAt(--start - 1);
    if (waiting.includes(before)) return "awaited";
    if (before === "return" || before === "=>") return "returned";
    const isInside = ["(", "[", ","].includes(before) || keeping.includes(before);
    if (!isInside) return kept ? "kept" : "dropped";
    if (keeping.includes(before)) kept = true;
    const open = around(tokens, start);
    if (textAt(open) === "[") start = open;
    else if (textAt(open) === "(") {
      if (branches.includes(textAt(open - 1))) return kept ? "kept" : "dropped";
      if (isCallee(tokens, open - 1)) {
        start = chainStart(tokens, open - 1);
        if (/^Promise\.(?:race|any)$/.test(chainText(tokens, start, open - 1))) return "raced";
      } else start = open;
    } else return kept ? (isRaced(tokens, start, budget) ? "raced" : "kept") : "dropped";
  }
  return "kept";
}

/** True when a variable with the value is given to a race: `const late = sleep(5000); await Promise.race([work, late])`. */
function isRaced(tokens: readonly Token[], start: number, budget: Budget): boolean {
  const name = tokens[start - 2];
  if (tokens[start - 1]?.text !== "=" || !name?.isWord || !budget.take(tokens.length)) return false;
  return tokens.some(({ text }, index) => {
    if (text !== name.text || index === start - 2 || !budget.take(stepsPerChain)) return false;
    return isGivenToRace(tokens, index);
  });
}

function isGivenToRace(tokens: readonly Token[], at: number): boolean {
  let open = around(tokens, at);
  if (tokens[open]?.text === "[") open = around(tokens, open);
  if (tokens[open]?.text !== "(" || open < 1) return false;
  return /^Promise\.(?:race|any)$/.test(chainText(tokens, chainStart(tokens, open - 1), open - 1));
}
