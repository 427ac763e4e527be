import { XError } from "./errors.ts";

const longest = 60;

/** The error for a cursor that is not, and never was, the id of an item of the list. */
export function unknownCursor(name: "after" | "before", id: string): XError<"invalid_parameter"> {
  const expected = "a cursor from page_info of this list";
  return new XError("invalid_parameter", [name, expected, JSON.stringify(id.slice(0, longest))], {
    details: { received: id.slice(0, longest) },
  });
}

/** Finds the list positions of both cursors of a page. Throws `invalid_parameter` for a cursor without one. */
export function cursorPositions(
  page: { readonly after?: string; readonly before?: string },
  positionOf: (id: string) => number | undefined,
): { readonly after: number | undefined; readonly before: number | undefined } {
  const find = (name: "after" | "before"): number | undefined => {
    const id = page[name];
    if (id === undefined) return undefined;
    const position = positionOf(id);
    if (position === undefined) throw unknownCursor(name, id);
    return position;
  };
  return { after: find("after"), before: find("before") };
}
