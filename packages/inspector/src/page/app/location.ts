/** A place in the inspector. */
export interface Location {
  /** Such as `/sources/dc_x`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads the hash of a URL. */
export function parseLocation(hash: string): Location {
  const [path = "", search = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  return { path: path.startsWith("/") ? path : `/${path}`, query: new URLSearchParams(search) };
}

/** Values of the parameters of a pattern. */
export type Params = Readonly<Record<string, string>>;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Matches a path with a pattern such as `/sources/:id/:tab?`; undefined when they differ. */
export function matchPath(pattern: string, path: string): Params | undefined {
  const [wanted, given] = [pattern, path].map((text) => text.split("/").filter((part) => part !== ""));
  if (!wanted || !given || given.length > wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index];
    const name = /^:(\w+)(\??)$/.exec(part);
    if (value === undefined) {
      if (name?.[2] !== "?") return undefined;
    } else if (name?.[1] !== undefined) params[name[1]] = decode(value);
    else if (value !== part) return undefined;
  }
  return params;
}
