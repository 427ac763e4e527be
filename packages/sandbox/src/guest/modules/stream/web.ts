const names = (
  "ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy DecompressionStream " +
  "ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest " +
  "ReadableStreamDefaultController ReadableStreamDefaultReader TextDecoderStream TextEncoderStream " +
  "TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultController " +
  "WritableStreamDefaultWriter"
).split(" ");
const realm = globalThis as unknown as Record<string, unknown>;

export default Object.fromEntries(names.filter((name) => name in realm).map((name) => [name, realm[name]]));
