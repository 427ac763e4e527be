/** `; name=value` or `; name="value"`; in quotes, a backslash may stand before a quote or a backslash. */
const parameter = /;\s*([^\s=;"]+)=(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|"([^"]*)"|([^";]*))/g;

const unescaped = (text: string): string => text.replaceAll(/\\(["\\])/g, "$1");

/** A parameter of a header such as Content-Type, by its name in lower case; undefined when it is absent. */
export function parameterOf(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (const [, key, quoted, plain, token] of header.matchAll(parameter)) {
    if (key?.toLowerCase() !== name) continue;
    return quoted !== undefined ? unescaped(quoted) : (plain ?? token?.trim());
  }
  return undefined;
}

/** The type itself, in lower case and without parameters; "" when it is absent. */
export const mediaType = (header: string | undefined): string =>
  (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
