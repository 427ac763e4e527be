import * as zlib from "node:zlib";

import { countNativeGarbage } from "../machine/native-garbage.ts";
import { hostFunction, type HostFunctions, maxBytes, refuseWork } from "./answer.ts";

/** A thread can be terminated between chunks of output: small chunks bound how long slow settings block it. */
const chunkSize = 4096;
const maxCompressed = 16 * 1024 * 1024;
const maxFailed = 64 * 1024 * 1024;
/** Native memory of an unreferenced stream, without its data. */
const streamBytes = 12 * 1024;

interface ZlibGiven {
  readonly options: {
    readonly chunkSize?: number;
    readonly level?: number;
    readonly windowBits?: number;
    readonly memLevel?: number;
    readonly strategy?: number;
    readonly flush?: number;
    readonly finishFlush?: number;
    readonly maxOutputLength?: number;
    readonly params?: Readonly<Record<string, number>>;
  };
  readonly hasDictionary: boolean;
}

const { constants } = zlib;
const fastBytes = 128 * 1024;
const midBytes = 1024 * 1024;

/** The highest level that keeps one step short for data of this size. */
const bestLevel = (size: number, [small, middle, large]: readonly [number, number, number]): number =>
  size <= fastBytes ? small : size <= midBytes ? middle : large;

type Params = Record<string, number>;

function brotliParams(given: Params | undefined, size: number): Params {
  const quality = constants.BROTLI_PARAM_QUALITY;
  const best = bestLevel(size, [11, 9, 5]);
  return { ...given, [quality]: Math.min(given?.[quality] ?? constants.BROTLI_DEFAULT_QUALITY, best) };
}

function zstdParams(given: Params | undefined, size: number): Params {
  const level = constants.ZSTD_c_compressionLevel;
  return { ...given, [level]: Math.min(given?.[level] ?? constants.ZSTD_CLEVEL_DEFAULT, bestLevel(size, [19, 12, 6])) };
}

/** Allowed parameters; the others change only how much time and memory of the host is used. */
const allowed: Readonly<Record<string, readonly (number | undefined)[]>> = {
  brotliCompress: [
    constants.BROTLI_PARAM_MODE,
    constants.BROTLI_PARAM_QUALITY,
    constants.BROTLI_PARAM_LGWIN,
    constants.BROTLI_PARAM_SIZE_HINT,
  ],
  brotliDecompress: [],
  zstdCompress: [
    constants.ZSTD_c_compressionLevel,
    constants.ZSTD_c_contentSizeFlag,
    constants.ZSTD_c_checksumFlag,
    constants.ZSTD_c_dictIDFlag,
  ],
  zstdDecompress: [],
};

function withoutCosts(format: string, params: Params | undefined): Params {
  const known = allowed[format] ?? [];
  return Object.fromEntries(Object.entries(params ?? {}).filter(([key]) => known.includes(Number(key))));
}

function optionsOf(given: ZlibGiven, dictionary: Uint8Array): object {
  const { options, hasDictionary } = given;
  return {
    ...options,
    chunkSize,
    maxOutputLength: Math.min(options.maxOutputLength ?? maxBytes, maxBytes),
    ...(hasDictionary && { dictionary }),
  };
}

type Run = (data: Uint8Array, options: object) => Uint8Array;

/** Counts what a run leaves as garbage: its input, and its output in pieces and joined. */
const countingGarbage =
  (run: Run): Run =>
  (data, options) => {
    const output = run(data, options);
    countNativeGarbage(streamBytes + data.length + 2 * output.length);
    return output;
  };

/** Bytes of failed input in this turn of the event loop. */
let failedBytes = 0;
function countFailure(bytes: number): void {
  if (failedBytes === 0) setImmediate(() => (failedBytes = 0));
  failedBytes += bytes;
}

/**
 * Empty blocks take long to read, and a thread cannot be terminated before there is output. Node keeps a failed stream
 * and its data until the next turn of the event loop, which guest code can delay.
 */
const bounded =
  (run: Run): Run =>
  (data, options) => {
    if (data.length > maxCompressed) refuseWork(`Decompressing ${data.length} bytes`, `${maxCompressed} bytes`);
    if (failedBytes > maxFailed) refuseWork("Decompressing so much invalid data", `${maxFailed} bytes at a time`);
    try {
      return run(data, options);
    } catch (error) {
      countFailure(streamBytes + data.length);
      throw error;
    }
  };

const plain = (run: Run) =>
  hostFunction((given: ZlibGiven, data, dictionary) => countingGarbage(run)(data, optionsOf(given, dictionary)));

const withParams = (run: Run, change: (given: Params | undefined, size: number) => Params) =>
  hostFunction((given: ZlibGiven, data, dictionary) =>
    countingGarbage(run)(data, { ...optionsOf(given, dictionary), params: change(given.options.params, data.length) }),
  );

/** Native memory of a stream that has processed no data. */
const unusedBytes = 64 * 1024;
/** Node allocates a buffer of `chunkSize` and refuses smaller ones. */
const minChunk = 64;
const creators: Readonly<Record<string, (options: object) => object>> = {
  gzip: zlib.createGzip,
  gunzip: zlib.createGunzip,
  deflate: zlib.createDeflate,
  inflate: zlib.createInflate,
  deflateRaw: zlib.createDeflateRaw,
  inflateRaw: zlib.createInflateRaw,
  unzip: zlib.createUnzip,
  brotliCompress: zlib.createBrotliCompress,
  brotliDecompress: zlib.createBrotliDecompress,
  zstdCompress: zlib.createZstdCompress,
  zstdDecompress: zlib.createZstdDecompress,
};

const allConstants = constants as unknown as Readonly<Record<string, number>>;

/** Compression: Node's `*Sync` functions. */
export const zlibFunctions: HostFunctions = {
  constants: () => allConstants,
  /** Throws the class's errors. */
  checkOptions: hostFunction(({ options, hasDictionary, format }: ZlibGiven & { format: string }, dictionary) => {
    const create = Object.hasOwn(creators, format) ? creators[format] : undefined;
    const chunk = options.chunkSize ?? minChunk;
    const given = { ...options, chunkSize: chunk > minChunk ? minChunk : chunk };
    const params = withoutCosts(format, options.params);
    // Not closed: Node would keep it until the next turn of the event loop.
    create?.({ ...given, ...(options.params && { params }), ...(hasDictionary && { dictionary }) });
    countNativeGarbage(unusedBytes + (dictionary?.length ?? 0));
  }),
  crc32: hostFunction(({ value }: { value: number }, data) => zlib.crc32(data, value)),
  gzip: plain(zlib.gzipSync),
  gunzip: plain(bounded(zlib.gunzipSync)),
  deflate: plain(zlib.deflateSync),
  inflate: plain(bounded(zlib.inflateSync)),
  deflateRaw: plain(zlib.deflateRawSync),
  inflateRaw: plain(bounded(zlib.inflateRawSync)),
  unzip: plain(bounded(zlib.unzipSync)),
  brotliCompress: withParams(zlib.brotliCompressSync, (given, size) =>
    brotliParams(withoutCosts("brotliCompress", given), size),
  ),
  brotliDecompress: withParams(bounded(zlib.brotliDecompressSync), (given) => withoutCosts("brotliDecompress", given)),
  zstdCompress: withParams(zlib.zstdCompressSync, (given, size) =>
    zstdParams(withoutCosts("zstdCompress", given), size),
  ),
  zstdDecompress: withParams(bounded(zlib.zstdDecompressSync), (given) => withoutCosts("zstdDecompress", given)),
};
