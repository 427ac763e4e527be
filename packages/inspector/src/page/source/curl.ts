const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command line that posts JSON to an endpoint. */
export const curlLine = (url: string, body = "{}"): string =>
  `curl -X POST -H 'content-type: application/json' -d ${quote(body)} ${quote(url)}`;

/** The endpoints of a source by prop. */
export function endpointsOf(
  props: Readonly<Record<string, unknown>>,
): { readonly prop: string; readonly url: string }[] {
  return Object.entries(props).flatMap(([prop, value]) => {
    const url = typeof value === "object" && value !== null ? Reflect.get(value, "endpoint_url") : undefined;
    return typeof url === "string" ? [{ prop, url }] : [];
  });
}
