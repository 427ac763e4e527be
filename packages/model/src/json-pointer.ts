/** The JSON pointer (RFC 6901) of a member. */
export const pointer = (...members: readonly (string | number)[]): string =>
  members.map((member) => `/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The members that a JSON pointer names, from the outermost. */
export const membersOf = (text: string): string[] =>
  text
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
