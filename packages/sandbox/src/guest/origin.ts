/** The call that started a request or timer, and the chain of calls that led to it. */
export interface Origin {
  /** Created at the call, for its stack. */
  readonly error: Error;
  readonly before: Origin | undefined;
  readonly depth: number;
}

const deepest = 8;
const longestStack = 4_096;

let current: Origin | undefined;

/** The origin of work that starts now; `error` replaces the one that is created here. */
export function beginOrigin(error: Error = new Error()): Origin {
  if (!current) return { error, before: undefined, depth: 0 };
  // A chain of requests can be endless.
  const before = current.depth < deepest ? current : { error: current.error, before: undefined, depth: 0 };
  return { error, before, depth: before.depth + 1 };
}

/** Sets the origin of the code that runs next; undefined at the start of a call. */
export function enterOrigin(origin: Origin | undefined): void {
  current = origin;
}

/** The stacks that led to the running code, latest first, separated by empty lines. */
export function originText(): string {
  const stacks: string[] = [];
  for (let each = current; each; each = each.before)
    stacks[stacks.length] = (each.error.stack ?? "").slice(0, longestStack);
  return stacks.join("\n\n");
}
