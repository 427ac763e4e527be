const most = 4;

/** As a list to be read: of many, such as those of a `git checkout`, the first. */
export const someNames = (names: readonly string[]): string =>
  names.length <= most + 1 ? names.join(", ") : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
