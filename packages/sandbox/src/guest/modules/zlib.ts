import { askZlib } from "x:host";

import { checkFunction, checkInteger, wrongType } from "../node/node-error.ts";
import { encodeText, viewOf } from "../node/crypto/bytes.ts";
import { answer } from "../node/crypto/random.ts";
import {
  classOf,
  convert,
  type Format,
  formats,
  inputBytes,
  streamClasses,
  type ZlibOptions,
  type ZlibStream,
} from "../node/zlib-stream.ts";

type Callback = (error: Error | null, result?: unknown) => void;

const named = <F extends object>(name: string, made: F): F => Object.defineProperty(made, "name", { value: name });

type Engine = new (options?: ZlibOptions) => ZlibStream;
const engine = (format: Format, options?: ZlibOptions): ZlibStream =>
  new (streamClasses[classOf(format)] as unknown as Engine)(options);

function run(format: Format, data: Uint8Array, options: ZlibOptions | undefined): unknown {
  const buffer = convert(format, data, options);
  return options?.info ? { buffer, engine: engine(format, options) } : buffer;
}

function functionsOf(format: Format): Record<string, unknown> {
  const sync = (buffer: unknown, options?: ZlibOptions): unknown => run(format, inputBytes(buffer), options);
  const later = (buffer: unknown, ...rest: [options?: unknown, callback?: unknown]): void => {
    const callback = typeof rest[0] === "function" ? rest[0] : rest[1];
    checkFunction("callback", callback);
    const options = typeof rest[0] === "function" ? undefined : (rest[0] as ZlibOptions | undefined);
    const data = inputBytes(buffer, "chunk").slice();
    answer(callback as Callback, () => run(format, data, options));
  };
  const create = (options?: ZlibOptions): ZlibStream => engine(format, options);
  return {
    [format]: named(format, later),
    [`${format}Sync`]: named(`${format}Sync`, sync),
    [`create${classOf(format)}`]: named(`create${classOf(format)}`, create),
  };
}

// JSON has no Infinity.
const constants = { ...(askZlib("constants", {}) as Record<string, number>), Z_MAX_CHUNK: Infinity };
const isCode = ([name]: [string, number]): boolean => /^Z_(?:OK|STREAM_END|NEED_DICT|\w+_ERROR)$/.test(name);
const codes = Object.entries(constants).filter(isCode);

function crc32(data: unknown, value: unknown = 0): unknown {
  const bytes = typeof data === "string" ? encodeText(data, "utf8") : viewOf(data);
  if (!bytes) throw wrongType("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
  checkInteger("value", value, 0, 2 ** 32 - 1);
  return askZlib("crc32", { value }, [bytes]);
}

/** Adds the constants as non-enumerable members, as in Node. */
function withConstants(zlib: object): object {
  for (const [name, value] of Object.entries(constants))
    if (!name.startsWith("BROTLI")) Object.defineProperty(zlib, name, { value });
  return zlib;
}

export default withConstants({
  ...streamClasses,
  ...Object.assign({}, ...formats.map(functionsOf)),
  codes: Object.freeze(
    Object.fromEntries(
      codes.flatMap(([name, code]) => [
        [name, code],
        [String(code), name],
      ]),
    ),
  ) as object,
  constants: Object.freeze(constants),
  crc32,
});
