/** Where something began that the host will answer, and what that was a consequence of. */
export interface Origin {
  /** Made at the call. */
  readonly error: Error;
  readonly before: Origin | undefined;
  readonly depth: number;
}

const deepest = 8;
const longestStack = 4_096;

let current: Origin | undefined;

/** What begins at this place; the error is made here, unless somebody needs one of their own. */
export function beginOrigin(error: Error = new Error()): Origin {
  if (!current) return { error, before: undefined, depth: 0 };
  // A chain of answers and requests may have no end.
  const before = current.depth < deepest ? current : { error: current.error, before: undefined, depth: 0 };
  return { error, before, depth: before.depth + 1 };
}

/** The answer has come: what runs now is its consequence. Undefined: a call begins. */
export function enterOrigin(origin: Origin | undefined): void {
  current = origin;
}

/** Stacks of what led to what runs now, the latest first, each after an empty line. */
export function originText(): string {
  const stacks: string[] = [];
  for (let each = current; each; each = each.before)
    stacks[stacks.length] = (each.error.stack ?? "").slice(0, longestStack);
  return stacks.join("\n\n");
}
