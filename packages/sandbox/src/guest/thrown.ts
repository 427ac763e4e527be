/** A thrown value as text; every property of it may be a getter that throws. */
export interface Thrown {
  name: string;
  message: string;
  stack: string;
}

const textLimit = 16_384;
const constructorLimit = 20;

function read(read: () => unknown): string | undefined {
  try {
    const value = read();
    return typeof value === "string" ? value.slice(0, textLimit) : undefined;
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  return read(() => String(value)) ?? "a value that cannot be shown";
}

/** The stack without the frames of the error's own constructors. */
export function withoutConstructors(stack: string, error: object): string {
  const names: string[] = [];
  try {
    let type: unknown = error.constructor;
    while (typeof type === "function" && type !== Error && names.length < constructorLimit) {
      names.push(type.name);
      type = Object.getPrototypeOf(type);
    }
  } catch {
    return stack;
  }
  const lines = stack.split("\n");
  let first = lines.findIndex((line) => line.startsWith("    at "));
  const from = first;
  while (first >= 0 && names.some((name) => name !== "" && lines[first]?.startsWith(`    at ${name} (`))) first += 1;
  return first < 0 ? stack : [...lines.slice(0, from), ...lines.slice(first)].join("\n");
}

export function describeThrown(value: unknown): Thrown {
  if (typeof value !== "object" || value === null) {
    const message = show(value);
    return { name: "Error", message, stack: `Error: ${message}` };
  }
  const error = value as { name?: unknown; message?: unknown; stack?: unknown; cause?: unknown };
  const name = read(() => error.name) ?? read(() => (error as object).constructor.name) ?? "Error";
  const message = read(() => error.message) ?? show(value);
  const frames = withoutConstructors(read(() => error.stack) ?? "", error);
  const header = message === "" ? name : `${name}: ${message}`;
  let stack = frames.startsWith(header) ? frames : `${header}\n${frames}`;
  let cause: unknown;
  try {
    cause = error.cause;
  } catch {
    cause = undefined;
  }
  if (cause !== undefined && cause !== value)
    stack += `\nCaused by: ${read(() => (cause as Error).message) ?? show(cause)}`;
  return { name, message, stack };
}
