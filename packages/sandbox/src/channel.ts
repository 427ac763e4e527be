/** Longest name of a channel, in bytes of UTF-8. */
const longestName = 256;

/** The stored channel of an emit; `default` and the empty name are the default stream, which has no name. */
export const channelOf = (name: string | undefined): { readonly name?: string } =>
  name === undefined || name === "" || name === "default" ? {} : { name };

/** Why a component cannot emit on this channel; undefined when it can. */
export function channelProblem(name: string): string | undefined {
  if (name === "$errors" || name === "$logs") return `name ${name} is a stream of the runtime; choose another name`;
  if (name.startsWith("$"))
    return `name ${JSON.stringify(name.slice(0, 64))} begins with "$", as only streams of the runtime do; choose another name`;
  if (!name.isWellFormed()) return `name ${JSON.stringify(name.slice(0, 64))} has half of a surrogate pair`;
  const bytes = Buffer.byteLength(name);
  return bytes > longestName ? `name must be at most ${longestName} bytes, got ${bytes}` : undefined;
}
