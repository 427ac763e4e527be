import { hostOp } from "../ops.ts";
import { DOMException } from "./events.ts";
import { ask } from "./host.ts";
import { joinBytes } from "./text.ts";

/** An error of the host's libraries in JSON. */
interface Refusal {
  readonly name: string;
  readonly message: string;
  /** Whether it is a DOMException. */
  readonly dom?: boolean;
}

const { parse, stringify } = JSON;
const errorMark = "!";
const errorTypes: Record<string, ErrorConstructor> = { Error, RangeError, SyntaxError, TypeError };

/** The host's error, with its type and code. */
function errorOf({ name, message, dom, ...rest }: Refusal): Error {
  if (dom) return new DOMException(message, name);
  const error = new (errorTypes[name] ?? Error)(message);
  return Object.assign(error, rest);
}

/** Calls a library of the host. Returns bytes as bytes, anything else as parsed JSON; throws the host's errors. */
export type AskLibrary = (name: string, given: object, parts?: readonly Uint8Array[]) => unknown;

const library =
  (op: number): AskLibrary =>
  (name, given, parts = []) => {
    const answer = ask(
      op,
      stringify([name, given, parts.map((part) => part.length)]),
      joinBytes(parts).buffer as ArrayBuffer,
    );
    if (typeof answer !== "string") return new Uint8Array(answer ?? new ArrayBuffer(0));
    if (answer.startsWith(errorMark)) throw errorOf(parse(answer.slice(1)) as Refusal);
    return parse(answer) as unknown;
  };

export const askCrypto: AskLibrary = library(hostOp.crypto);
/** Generates keys: a module that does so at its top level is evaluated for every call. */
export const askGenerate: AskLibrary = library(hostOp.generate);
export const askZlib: AskLibrary = library(hostOp.zlib);
