const greatestLength = 2 ** 31 - 1;

export default {
  Buffer,
  Blob,
  ...(typeof File === "function" && { File }),
  SlowBuffer: Buffer,
  INSPECT_MAX_BYTES: 50,
  atob,
  btoa,
  constants: { MAX_LENGTH: greatestLength, MAX_STRING_LENGTH: 2 ** 29 - 24 },
  isAscii: (bytes: Uint8Array) => bytes.every((byte) => byte < 0x80),
  isUtf8(bytes: Uint8Array) {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      return true;
    } catch {
      return false;
    }
  },
  kMaxLength: greatestLength,
  kStringMaxLength: 2 ** 29 - 24,
  transcode: (bytes: Uint8Array, from: BufferEncoding, to: BufferEncoding) =>
    Buffer.from(Buffer.from(bytes).toString(from), to),
};
