/** A data store has a name that can be part of a URL. */
export const dataStorePattern: string = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

/** What a name must be, in words. */
export const dataStoreNameRule: string =
  "the name of a data store: 1 to 64 letters, digits, dots, hyphens and underscores, the first one a letter or a digit";

const pattern = new RegExp(dataStorePattern, "u");

export const isDataStoreName = (value: unknown): boolean => typeof value === "string" && pattern.test(value);
