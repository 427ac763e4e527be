import type { AuthorSource } from "./author-source.ts";
import { callText, chainStart, chainText, memberEnd } from "./chain.ts";
import type { NodeWords } from "./engine-words.ts";
import { pairOf, type Token } from "./tokens.ts";

/** Facts about the component for hints. */
export interface Declared {
  /** Names of its props. */
  readonly props: readonly string[];
}

type About = NonNullable<NodeWords["about"]>;

const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** Common names of interface props. */
const interfaces: readonly (readonly [RegExp, string])[] = [
  [/^(?:db|store|storage|cache)$/i, `"$.service.db"`],
  [/^http(?:Interface)?$/i, `"$.interface.http"`],
  [/^timer$/i, `"$.interface.timer"`],
];
/** Asynchronous functions of the platform. */
const promising: readonly string[] = ["fetch", "json", "text", "arrayBuffer"];
const dbMethods: readonly string[] = ["get", "set"];

/** The last name of a callee, when a call follows. */
const calledName = (tokens: readonly Token[], at: number): string | undefined =>
  textAt(tokens, at + 1) === "(" && tokens[at]?.isWord ? textAt(tokens, at) : undefined;

const awaitIt = (name: string, call: string): string => `${name} is a promise: await ${call}`;

/** `items` in `const items = this.list()`, and `this.list()` itself. */
function promiseHint({ point: { tokens }, from, to }: About, source: AuthorSource): string | undefined {
  const names = new Set([...promising, ...source.asyncNames()]);
  for (let at = from; at <= to; at++) {
    const name = calledName(tokens, at);
    if (name === undefined || !names.has(name) || textAt(tokens, from - 1) === "await") continue;
    const call = callText(tokens, at) ?? name;
    return awaitIt(call, call);
  }
  const root = tokens[from];
  if (!root?.isWord || root.text === "this") return undefined;
  for (let at = from - 1; at > 0; at--) {
    if (textAt(tokens, at) !== root.text || textAt(tokens, at + 1) !== "=") continue;
    let end = at + 2;
    if (textAt(tokens, end) === "await") return undefined;
    end = memberEnd(tokens, end);
    const name = calledName(tokens, end);
    const isLast = ![".", "?."].includes(textAt(tokens, pairOf(tokens, end + 1) + 1));
    const call = name !== undefined && isLast && names.has(name) ? callText(tokens, end) : undefined;
    return call === undefined ? undefined : awaitIt(root.text, call);
  }
  return undefined;
}

/** A hint for a missing member of `this`, such as `this.db` without the prop. */
function memberHint(
  { point: { tokens }, from, to, text }: About,
  message: string,
  declared: Declared,
): string | undefined {
  if (textAt(tokens, from) !== "this" || to !== from + 2) return undefined;
  const name = textAt(tokens, to);
  if (message.endsWith("is not a function"))
    return name === "emit"
      ? "this.emit does not exist: components emit with this.$emit(event, { id, summary, ts })"
      : undefined;
  if (!/^Cannot (?:read|set) properties of/.test(message)) return undefined;
  if (declared.props.includes(name)) return `${text} has no value: the prop "${name}" is not configured`;
  const used = textAt(tokens, to + 2);
  const type =
    interfaces.find(([pattern]) => pattern.test(name))?.[1] ??
    (dbMethods.includes(used) ? `"$.service.db"` : undefined);
  return type === undefined
    ? `${text} is not there: declare "${name}" under props, or under methods`
    : `${text} is not there: declare it as a prop, props: { ${name}: ${type} }`;
}

/** Functions of @x/types that authors of other frameworks have without an import. */
const undeclared = /^'?(define(?:Component|App|Action|Workflow|Mixin))'? is not defined$/;

const hostFile = /^(?:ENOENT|EACCES|EROFS|EPERM): .*'([^']*)'$/;

/** A hint on how to fix an error; undefined when there is none. */
export function hintFor({ message, about }: NodeWords, source: AuthorSource, declared: Declared): string | undefined {
  const define = undeclared.exec(message)?.[1];
  if (define !== undefined)
    return `import it first: import { ${define} } from "@x/types", or export the plain object: export default { … }`;
  const file = hostFile.exec(message)?.[1];
  if (file !== undefined && !/^\/?tmp(?:\/|$)/.test(file))
    return `components have a file system in memory that has only /tmp: they cannot access files of the host`;
  if (!about) return undefined;
  const { point, to, text } = about;
  if (/^process\.env\b/.test(text) || /^process\.env\b/.test(chainText(point.tokens, chainStart(point.tokens, to), to)))
    return /undefined/.test(message)
      ? `process.env is empty in components: declare a prop, and read this.<prop>`
      : undefined;
  const member = memberHint(about, message, declared);
  if (member !== undefined) return member;
  const promise = promiseHint(about, source);
  if (promise !== undefined) return promise;
  const isValue = /^Cannot (?:read|set) properties of (undefined|null)/.exec(message)?.[1];
  return isValue === undefined || !/^[\w$]+(?:[.?[]|$)/.test(text) || /^(?:null|undefined)$/.test(text)
    ? undefined
    : `${text} is ${isValue}`;
}
