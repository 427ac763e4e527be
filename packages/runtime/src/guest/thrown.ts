/** What was thrown, as plain text fields. Reads defensively: every property may be a getter that throws. */
export interface Thrown {
  name: string;
  message: string;
  stack: string;
}

const textLimit = 16_384;

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

export function describeThrown(value: unknown): Thrown {
  if (typeof value !== "object" || value === null) {
    const message = show(value);
    return { name: "Error", message, stack: `Error: ${message}` };
  }
  const error = value as { name?: unknown; message?: unknown; stack?: unknown; cause?: unknown };
  const name = read(() => error.name) ?? read(() => (error as object).constructor.name) ?? "Error";
  const message = read(() => error.message) ?? show(value);
  const frames = read(() => error.stack) ?? "";
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
