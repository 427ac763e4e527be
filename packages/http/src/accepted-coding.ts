/** How much a client wants a coding, by `Accept-Encoding`: 0 for one that it refuses. */
function qualities(accepted: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const item of accepted.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    if (name !== "") found.set(name, Number.isFinite(quality) ? quality : 0);
  }
  return found;
}

/**
 * The first of the codings among those that the client wants most; undefined for the content as it is. A client that does not
 * want the content as it is less than a coding gets the coding, because it is smaller.
 */
export function acceptedCoding<Coding extends string>(
  accepted: string | null,
  codings: readonly Coding[],
): Coding | undefined {
  if (accepted === null) return undefined;
  const given = qualities(accepted);
  const wish = (name: string): number => given.get(name) ?? given.get("*") ?? 0;
  const best = Math.max(0, ...codings.map(wish));
  if (best === 0 || (given.get("identity") ?? 0) > best) return undefined;
  return codings.find((coding) => wish(coding) === best);
}
