const nodeLimit = 20_000;
const depthLimit = 24;

class DescriptionTooLarge extends Error {}

/** A JSON-safe picture of the component object: functions are `{"$function": true}`, what JSON cannot hold is dropped. */
export function describe(component: unknown): string {
  let nodes = 0;
  const seen = new Set<object>();
  const picture = (value: unknown, depth: number): unknown => {
    if (++nodes > nodeLimit || depth > depthLimit)
      throw new DescriptionTooLarge("The component object is too large or too deep to describe");
    if (typeof value === "function") return { $function: true };
    if (typeof value === "bigint" || typeof value === "symbol") return String(value);
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Date || value instanceof RegExp) return String(value);
    if (seen.has(value)) return undefined;
    seen.add(value);
    let result: unknown;
    if (Array.isArray(value)) result = value.map((item) => picture(item, depth + 1) ?? null);
    else {
      const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (const key of Object.keys(value)) fields[key] = picture((value as Record<string, unknown>)[key], depth + 1);
      result = fields;
    }
    seen.delete(value);
    return result;
  };
  return JSON.stringify(picture(component, 0)) ?? "null";
}
