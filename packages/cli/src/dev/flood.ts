import type { DevMessage } from "./message.ts";

/** Of what one run does, so much is told line by line. */
const mostTold = 20;
const counted: ReadonlySet<DevMessage["message"]> = new Set<DevMessage["message"]>(["event", "log", "call", "drop"]);

/**
 * Tells messages, of many of one kind at once only the first: how many more there were is told when they are through. A run
 * that emits in an endless loop would leave nothing else to be seen.
 */
export function createFlood(tell: (message: DevMessage) => void): (message: DevMessage) => void {
  const counts = new Map<string, number>();

  function tellRest(): void {
    for (const [key, count] of counts) {
      const [kind = "", name = ""] = key.split("\n");
      if (count > mostTold)
        tell({ message: "note", text: `${name}: … and ${count - mostTold} more of kind ${kind}; --json tells all` });
    }
    counts.clear();
  }

  return (message) => {
    if (!counted.has(message.message) || !("name" in message)) return tell(message);
    if (counts.size === 0) setImmediate(tellRest);
    const key = `${message.message}\n${message.name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count <= mostTold) tell(message);
  };
}
