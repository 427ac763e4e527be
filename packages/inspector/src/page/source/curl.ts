import { isAppHook } from "../apps/app-hooks.ts";

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command line that posts JSON to an endpoint. */
export const curlLine = (url: string, body = "{}"): string =>
  `curl -X POST -H 'content-type: application/json' -d ${quote(body)} ${quote(url)}`;

/** The endpoints of a source by prop; not those of its apps. */
export function endpointsOf(
  props: Readonly<Record<string, unknown>>,
): { readonly prop: string; readonly url: string }[] {
  return Object.entries(props).flatMap(([prop, value]) => {
    if (typeof value !== "object" || value === null || isAppHook(value)) return [];
    const url: unknown = Reflect.get(value, "endpoint_url");
    return typeof url === "string" ? [{ prop, url }] : [];
  });
}
