import type { DevMessage } from "./message.ts";

/** So many messages of one kind and source are printed at once. */
const maxShown = 20;
const counted: ReadonlySet<DevMessage["message"]> = new Set<DevMessage["message"]>(["event", "log", "call", "drop"]);

/**
 * Prints messages; of many of one kind at once only the first, then the number of the others. Otherwise a run that emits in an
 * endless loop would fill the terminal.
 */
export function createOutputLimit(print: (message: DevMessage) => void): (message: DevMessage) => void {
  const counts = new Map<string, number>();

  function printRest(): void {
    for (const [key, count] of counts) {
      const [kind = "", name = ""] = key.split("\n");
      if (count > maxShown)
        print({ message: "note", text: `${name}: … and ${count - maxShown} more of kind ${kind}; --json prints all` });
    }
    counts.clear();
  }

  return (message) => {
    if (!counted.has(message.message) || !("name" in message)) return print(message);
    if (counts.size === 0) setImmediate(printRest);
    const key = `${message.message}\n${message.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= maxShown) print(message);
  };
}
