const comment = "\n//# sourceMappingURL=data:application/json;base64,";

/** The end of a bundle that carries its source map. */
export const mapComment = (json: string): string => `${comment}${Buffer.from(json).toString("base64")}\n`;

/** A bundle as it was before. */
export function withoutInlineMap(bundle: string): string {
  const at = bundle.lastIndexOf(comment);
  // The author's code may hold such a text too, but does not end in it.
  const isLast = at >= 0 && /^[\w+/=]*\n$/.test(bundle.slice(at + comment.length));
  return isLast ? bundle.slice(0, at) : bundle;
}
