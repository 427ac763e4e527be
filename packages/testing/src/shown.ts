const longest = 120;

/** A value in one line, as messages and the timeline show it. */
export function shown(value: unknown, most: number = longest): string {
  // Functions and symbols have no JSON.
  const text = (JSON.stringify(value) as string | undefined) ?? typeof value;
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Lines moved to the right. */
export const indented = (text: string, by = "  "): string => text.replaceAll(/^(?=.)/gm, by);

/** `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
