import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import {
  createGunzip,
  gunzipSync,
  gzip,
  gzipSync,
  inflateRawSync,
  deflateRawSync,
  brotliCompressSync,
  brotliDecompressSync,
} from "node:zlib";
import { promisify } from "node:util";

class Lines extends Transform {
  rest = "";
  decoder = new StringDecoder("utf8");
  constructor() {
    super({ readableObjectMode: true });
  }
  _transform(chunk, _encoding, done) {
    const lines = (this.rest + this.decoder.write(chunk)).split("\n");
    this.rest = lines.pop();
    for (const line of lines) this.push(line);
    done();
  }
  _flush(done) {
    if (this.rest) this.push(this.rest);
    done();
  }
}

export default {
  name: "Streams",
  version: "0.0.1",
  props: {},
  async run() {
    const answer = await fetch("https://files.example.com/log.gz");
    const lines = new Lines();
    const found = [];
    const body = Buffer.from(await answer.arrayBuffer());
    const reading = pipeline(Readable.from([body.subarray(0, 5), body.subarray(5)]), createGunzip(), lines);
    for await (const line of lines) found.push(line);
    await reading;
    const packed = await promisify(gzip)("Grüße ".repeat(100));
    const pass = new PassThrough();
    pass.end("a");
    pass.resume();
    this.$emit({
      found,
      back: gunzipSync(packed).toString().length,
      small: packed.length < 100,
      raw: inflateRawSync(deflateRawSync(Buffer.from([0, 1, 2, 0]))).toString("hex"),
      brotli: brotliDecompressSync(brotliCompressSync("brotli")).toString(),
      magic: gzipSync("x").subarray(0, 2).toString("hex"),
      finished: await new Promise((resolve) => pass.on("end", () => resolve(true))),
    });
    gunzipSync(Buffer.from("not gzip"));
  },
};
