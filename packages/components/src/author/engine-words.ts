import type { Budget } from "@x/model";
import type { AuthorSource, CodePoint } from "./author-source.ts";
import { chainStart, chainText, memberEnd } from "./chain.ts";
import { pairOf, type Token } from "./tokens.ts";

export interface ThrownText {
  readonly name: string;
  readonly message: string;
  /** As the engine wrote it. */
  readonly stack: string;
}

/** An error of the engine with Node's message, and the expression that it is about. */
export interface NodeWords {
  readonly name: string;
  readonly message: string;
  /** The author's expression with the wrong value, by its tokens. */
  readonly about?: { readonly point: CodePoint; readonly from: number; readonly to: number; readonly text: string };
}

interface Context {
  /** The built-in function that threw; undefined: the author's own code. */
  readonly builtin: string | undefined;
  readonly point: CodePoint | undefined;
  readonly budget: Budget;
}

type About = NonNullable<NodeWords["about"]>;
type Rule = (
  match: readonly string[],
  context: Context,
) => { message: string; name?: string; about?: About } | undefined;

const textAt = (tokens: readonly Token[], at: number): string => tokens[at]?.text ?? "";

/** The object whose member is at the position, as in Node: `this.db` of `this.db.get`. */
function objectBefore(point: CodePoint | undefined, property: string): About | undefined {
  if (!point) return undefined;
  const { tokens, at } = point;
  if (textAt(tokens, at + 1) === "[" && writtenKeyAt(tokens, at) === property) return about(point);
  const isMember = textAt(tokens, at) === property && [".", "?.", "["].includes(textAt(tokens, at - 1));
  return isMember ? about(point, at - 2) : undefined;
}

/** True for the declaration of a function, which the engine reports when it has no position. */
function isDefinition({ tokens, at }: CodePoint): boolean {
  if (!tokens[at]?.isWord || ["async", "function"].includes(textAt(tokens, at))) return true;
  const afterwards = textAt(tokens, at + 1) === "(" ? textAt(tokens, pairOf(tokens, at + 1) + 1) : "";
  return afterwards === "{" || afterwards === "=>";
}

/** An expression that ends with the token at `to`. */
function about(point: CodePoint | undefined, to = point?.at ?? 0): About | undefined {
  if (!point || isDefinition(point)) return undefined;
  const from = chainStart(point.tokens, to);
  return { point, from, to, text: chainText(point.tokens, from, to) };
}

/** The first argument of the call at the position. */
function argument(point: CodePoint | undefined): About | undefined {
  if (!point || textAt(point.tokens, point.at + 1) !== "(") return undefined;
  const { tokens } = point;
  const from = point.at + 2;
  const close = pairOf(tokens, point.at + 1);
  let to = from;
  while (to + 1 < close && textAt(tokens, to + 1) !== ",")
    to = ["(", "[", "{"].includes(textAt(tokens, to + 1)) ? pairOf(tokens, to + 1) : to + 1;
  if (from >= close || to < from) return undefined;
  return { point, from, to, text: chainText(tokens, from, to) };
}

/** The members after the position, up to the one before `property`. */
function objectOf(point: CodePoint | undefined, property: string): About | undefined {
  if (!point) return undefined;
  const { tokens, at } = point;
  let to = at;
  const most = memberEnd(tokens, at);
  while (to < most && textAt(tokens, to + 2) !== property) to += 2;
  return textAt(tokens, to + 2) === property ? about(point, to) : about(point);
}

/** The literal key after a token: `0` of `list[0]`. */
function writtenKeyAt(tokens: readonly Token[], at: number): string {
  const key = textAt(tokens, at + 1) === "[" && textAt(tokens, at + 3) === "]" ? textAt(tokens, at + 2) : "";
  return /^(?:\d+|"[^"]*"|'[^']*')$/.test(key) ? key.replaceAll(/["']/g, "") : "";
}

const writtenKey = ({ point, to }: About): string => writtenKeyAt(point.tokens, to);

function notIterable({ builtin, point }: Context): { message: string; about?: About } | undefined {
  const found = builtin === undefined ? about(point, point && memberEnd(point.tokens, point.at)) : argument(point);
  if (!found) return undefined;
  const isCall = textAt(found.point.tokens, found.to + 1) === "(";
  const message = isCall
    ? `${found.text} is not a function or its return value is not iterable`
    : `${found.text} is not iterable`;
  return { message, about: found };
}

function notCallable({ builtin, point }: Context): { message: string; about?: About } | undefined {
  const found = builtin === undefined ? about(point) : argument(point);
  if (!found) return undefined;
  const { tokens } = found.point;
  const isNew =
    builtin === undefined &&
    (textAt(tokens, found.from - 1) === "new" || /^new\s*$/.test(textAt(tokens, found.from - 2)));
  return { message: `${found.text} is not a ${isNew ? "constructor" : "function"}`, about: found };
}

const read = (verb: "read" | "set", property: string, value: string): string =>
  `Cannot ${verb} properties of ${value}${property === "" ? "" : ` (${verb === "read" ? "reading" : "setting"} '${property}')`}`;

/** Looking for a declaration at a token. */
const stepsPerToken = 5;

/** `const { a } = event.missing`, when it is the only one in its function. */
function destructured({ point, budget }: Context): { message: string } {
  const unknown = { message: "Cannot destructure a value that is undefined or null" };
  if (!point || !isDefinition(point)) return unknown;
  const { tokens, at } = point;
  let open = at;
  while (open < tokens.length && textAt(tokens, open) !== "{") {
    const end = textAt(tokens, open) === "(" ? pairOf(tokens, open) : open;
    if (end < 0 || !budget.take(1)) return unknown;
    open = end + 1;
  }
  const end = pairOf(tokens, open);
  if (!budget.take(stepsPerToken * Math.max(0, end - open))) return unknown;
  let found: string | undefined;
  for (let index = open + 1; index < end; index++) {
    if (!["const", "let", "var"].includes(textAt(tokens, index)) || textAt(tokens, index + 1) !== "{") continue;
    const close = pairOf(tokens, index + 1);
    if (textAt(tokens, close + 1) !== "=") continue;
    const start = textAt(tokens, close + 2) === "await" ? close + 3 : close + 2;
    const to = memberEnd(tokens, start);
    // Of several, any may be the one.
    if (found !== undefined) return unknown;
    found = `Cannot destructure property '${textAt(tokens, index + 2)}' of '${chainText(tokens, start, to)}' as it is undefined or null`;
  }
  return found === undefined ? unknown : { message: found };
}

const isJson = ({ builtin }: Context): boolean => builtin === "parse" || builtin === "json";

const rules: readonly (readonly [RegExp, Rule])[] = [
  [/^not a function$/, (_match, context) => notCallable(context)],
  [
    /^not a constructor$/,
    (_match, { builtin, point }) => {
      const found = builtin === undefined ? about(point) : argument(point);
      return found && { message: `${found.text} is not a constructor`, about: found };
    },
  ],
  [/^value is not iterable$/, (_match, context) => notIterable(context)],
  [
    /^cannot read property 'Symbol\.(?:asyncI|i)terator' of (undefined|null)$/,
    ([, value], context) => notIterable(context) ?? { message: `${value} is not iterable` },
  ],
  [
    /^cannot (read|set) property '(.*)' of (undefined|null)$/s,
    ([, verb, property = "", value = ""], { builtin, point }) => {
      const found = builtin === undefined ? objectOf(point, property) : undefined;
      return { message: read(verb === "set" ? "set" : "read", property, value), ...(found && { about: found }) };
    },
  ],
  [
    /^cannot (read|set) property of (undefined|null)$/,
    ([, verb, value = ""], { builtin, point }) => {
      const found = builtin === undefined ? about(point) : undefined;
      const message = read(verb === "set" ? "set" : "read", found ? writtenKey(found) : "", value);
      return { message, ...(found && { about: found }) };
    },
  ],
  [
    /^cannot convert to object$/,
    (_match, context) => {
      const { builtin, point } = context;
      if (builtin === undefined) return destructured(context);
      const found = argument(point);
      return { message: "Cannot convert undefined or null to object", ...(found && { about: found }) };
    },
  ],
  [/^'(.+)' is not defined$/, ([, name]) => ({ message: `${name} is not defined` })],
  [/^(\S+) is not initialized$/, ([, name]) => ({ message: `Cannot access '${name}' before initialization` })],
  [/^'(.+)' is read-only$/, ([, name]) => ({ message: `Cannot assign to '${name}' because it is read-only` })],
  [/^stack overflow$/, () => ({ name: "RangeError", message: "Maximum call stack size exceeded" })],
  [/^string too long$/, () => ({ name: "RangeError", message: "Invalid string length" })],
  [/^circular reference$/, () => ({ message: "Converting circular structure to JSON" })],
  [
    /^unexpected token: '(.*)'$/s,
    ([, token = ""], context) => {
      if (!isJson(context)) return undefined;
      if (token === "") return { message: "Unexpected end of JSON input" };
      return {
        message:
          token.length > 1 ? `"${token}" is not valid JSON` : `Unexpected token '${token}', the text is not valid JSON`,
      };
    },
  ],
  [/^invalid 'in' operand$/, () => ({ message: "Cannot use 'in' operator to search in what is no object" })],
  [/^invalid 'instanceof' right operand$/, () => ({ message: "Right-hand side of 'instanceof' is not callable" })],
  [/^cannot convert symbol to string$/, () => ({ message: "Cannot convert a Symbol value to a string" })],
  [
    /^cannot convert bigint to number$/,
    () => ({ message: "Cannot mix BigInt and other types, use explicit conversions" }),
  ],
  [
    /^private class field '(.+)' does not exist$/,
    ([, name]) => ({
      message: `Cannot read private member ${name} from an object whose class did not declare it`,
    }),
  ],
  [/^Date value is NaN$/, () => ({ message: "Invalid time value" })],
  [/^invalid array length$/, () => ({ message: "Invalid array length" })],
  [/^invalid repeat count$/, () => ({ message: "Invalid count value" })],
  [
    /^empty array$/,
    (_match, { builtin }) =>
      builtin?.startsWith("reduce") ? { message: "Reduce of empty array with no initial value" } : undefined,
  ],
  // The message is Node's already; this adds the expression.
  [
    /^Cannot (?:read|set) properties of \S+ \((?:reading|setting) '(.+)'\)$/s,
    ([message = "", property = ""], { point }) => {
      const found = objectBefore(point, property);
      return { message, ...(found && { about: found }) };
    },
  ],
  [
    /^\S+ is not (?:a function|iterable)$/,
    ([message = ""], { point }) => {
      const found = about(
        point,
        point && (message.endsWith("iterable") ? memberEnd(point.tokens, point.at) : point.at),
      );
      return { message, ...(found && { about: found }) };
    },
  ],
  [/^expecting hex digit$/, () => ({ message: "URI malformed" })],
  [
    /^regexp must have the 'g' flag$/,
    () => ({ message: "String.prototype.matchAll called with a non-global RegExp argument" }),
  ],
  [
    /^(?:expecting|unexpected|invalid|bad|unterminated) .*$/s,
    ([text = ""], context) =>
      isJson(context)
        ? { message: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}: the text is not valid JSON` }
        : undefined,
  ],
];

const engineErrors: readonly string[] = [
  "TypeError",
  "ReferenceError",
  "RangeError",
  "SyntaxError",
  "InternalError",
  "URIError",
];
/** Finding the rule of a message, and the tokens of its expression. */
const stepsPerError = 2_000;
const frameLine = /^\s+at /;
const nativeFrame = /^\s+at (\S+) \(native\)$/;
/** A frame of a text that the engine parses. */
const inputFrame = /^\s+at <input>/;

/** True for an error that the author created: `throw new TypeError("not a function")`. In Node its position is at `new`. */
function isThrown({ tokens, at }: CodePoint): boolean {
  const end = textAt(tokens, at) === "new" ? memberEnd(tokens, at + 1) : at;
  return textAt(tokens, end).endsWith("Error") && textAt(tokens, end + 1) === "(";
}

function contextOf(stack: string, source: AuthorSource): Context | "own" {
  const frames = stack.split("\n").filter((line) => frameLine.test(line) && !inputFrame.test(line));
  const [top = ""] = frames;
  const builtin = nativeFrame.exec(top)?.[1];
  const [position] = source.positions(frames.find((line) => !nativeFrame.test(line)) ?? "");
  const point = position && source.point(position);
  const isMade = point !== undefined && isThrown(point);
  return isMade ? "own" : { builtin, point, budget: source.budget };
}

/** Converts the message of an engine error to Node's; leaves other errors unchanged. */
export function nodeWords({ name, message, stack }: ThrownText, source: AuthorSource): NodeWords {
  if (!engineErrors.includes(name) || !source.budget.take(stepsPerError)) return { name, message };
  for (const [pattern, rule] of rules) {
    const match = pattern.exec(message);
    if (!match) continue;
    const context = contextOf(stack, source);
    const words = context === "own" ? undefined : rule([...match], context);
    return words ? { name, ...words } : { name, message };
  }
  return { name, message };
}

const header = /^((?:.*[\s:])?)(\w+Error): (.*)$/s;

/** Converts the message of every error whose stack is in a text. */
export function inNodeWords(text: string, source: AuthorSource): string {
  const lines = text.split("\n");
  return lines
    .map((line, index) => {
      const head = frameLine.test(lines[index + 1] ?? "") && !frameLine.test(line) ? header.exec(line) : null;
      if (!head) return line;
      const [, before = "", name = "", message = ""] = head;
      let end = index + 1;
      while (frameLine.test(lines[end] ?? "")) end += 1;
      const words = nodeWords({ name, message, stack: lines.slice(index + 1, end).join("\n") }, source);
      return `${before}${words.name}: ${words.message}`;
    })
    .join("\n");
}
