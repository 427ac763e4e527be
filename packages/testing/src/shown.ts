const longest = 120;

/** A value in one line of at most `most` characters, for messages and the timeline. */
export function shown(value: unknown, most: number = longest): string {
  const json = JSON.stringify(value) as string | undefined;
  // Functions and symbols have no JSON.
  return shortened(json ?? typeof value, most);
}

/** Text of at most `most` characters. */
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** Text with each line indented. */
export const indented = (text: string, by = "  "): string => text.replaceAll(/^(?=.)/gm, by);

/** `1 event`, `2 events`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
