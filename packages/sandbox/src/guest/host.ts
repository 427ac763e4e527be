import { hostOp } from "../ops.ts";

/** The only function that calls the host. `text` is JSON, so it holds no NUL and no lone surrogate. */
export type Dispatch = (op: number, text?: string, bytes?: ArrayBuffer) => string | ArrayBuffer | undefined;

let dispatch: Dispatch = () => undefined;

export function connect(given: Dispatch): void {
  dispatch = given;
}

const { parse, stringify } = JSON;

class HostRefusal extends Error {}

/** Throws the error of a refusal, which is the text `Name\nmessage`. */
function refuse(answer: string): never {
  const cut = answer.indexOf("\n");
  const error = new HostRefusal(answer.slice(cut + 1));
  Object.defineProperty(error, "name", { value: answer.slice(0, cut), configurable: true, writable: true });
  throw error;
}

/** Sends an effect; throws when the host refuses it. */
export function effect(op: number, text: string, bytes?: ArrayBuffer): void {
  const answer = dispatch(op, text, bytes);
  if (typeof answer === "string") refuse(answer);
}

export const log = (level: string, msg: string, data: string): void => {
  dispatch(hostOp.log, stringify({ level, msg }) + "\n" + data);
};

export const randomBytes = (count: number): Uint8Array => {
  const bytes = dispatch(hostOp.random, stringify(count));
  return new Uint8Array(bytes as ArrayBuffer);
};

/** The host's answer in JSON to a question in JSON; undefined without an answer. */
function askJson<Answer>(op: number, question: unknown, bytes?: ArrayBuffer): Answer | undefined {
  const answer = dispatch(op, stringify(question), bytes);
  return typeof answer === "string" ? (parse(answer) as Answer) : undefined;
}

export const parseUrl = (url: string, base?: string): Record<string, string> | undefined =>
  askJson(hostOp.urlParse, base === undefined ? [url] : [url, base]);

/** The parts of a URL after one is assigned, as the URL standard's setters do; undefined when the URL is invalid. */
export const assignUrl = (href: string, part: string, value: string): Record<string, string> | undefined =>
  askJson(hostOp.urlParse, [href, part, value]);

export const utf8Encode = (text: string): ArrayBuffer => dispatch(hostOp.utf8Encode, stringify(text)) as ArrayBuffer;

/** The text of bytes in the encoding `label`; undefined when they are invalid and `fatal` is set. */
export const decodeText = (bytes: ArrayBuffer, label: string, fatal: boolean, ignoreBom: boolean): string | undefined =>
  decodedText(dispatch(hostOp.utf8Decode, stringify([label, fatal, ignoreBom]), bytes));

/** A text that came unchanged after an equals sign, or as JSON. */
function decodedText(answer: string | ArrayBuffer | undefined): string | undefined {
  if (typeof answer !== "string") return undefined;
  return answer[0] === "=" ? answer.slice(1) : (parse(answer) as string);
}

/** The standard's name of the encoding with a label; undefined for an unknown label. */
export const encodingName = (label: string): string | undefined =>
  label === "utf-8" ? label : askJson(hostOp.encodingName, label);

/** Calls a method of Intl. `head` is the JSON text that many calls share. Throws the host's RangeError or TypeError. */
export const askIntl = (head: string, args: readonly unknown[]): unknown => {
  const answer = dispatch(hostOp.intl, `${head}\n${stringify(args)}`);
  const { value, error } = parse(typeof answer === "string" ? answer : "{}") as {
    value?: unknown;
    error?: [string, string];
  };
  if (error) throw error[0] === "RangeError" ? new RangeError(error[1]) : new TypeError(error[1]);
  return value;
};

/** Evaluates code of a part or built-in, and returns its value. */
export const loadCode = <Value>(op: number, name: string): Value => dispatch(op, name) as Value;

export const monotonicMs = (): number => Number(dispatch(hostOp.monotonic));

/** Returns the host's answer unchanged. */
export const ask: Dispatch = (op, text, bytes) => dispatch(op, text, bytes);

export const send = (op: number, text: string, bytes?: ArrayBuffer): void => {
  dispatch(op, text, bytes);
};
