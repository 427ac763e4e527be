/**
 * The path, unless a segment is empty, `.` or `..`: a browser resolves such a segment, so the request would reach another path.
 * Throws `TypeError`.
 */
export function checkedPath(path: string): string {
  const wrong = path
    .slice(1)
    .split("/")
    .find((segment) => /^\.{0,2}$/.test(segment));
  if (wrong !== undefined) throw new TypeError(`${JSON.stringify(wrong)} cannot be part of a URL path`);
  return path;
}
