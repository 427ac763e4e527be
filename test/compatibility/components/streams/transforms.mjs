import { createHash } from "node:crypto";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip, createGunzip } from "node:zlib";

const lines = () => {
  let rest = "";
  return new Transform({
    readableObjectMode: true,
    transform(chunk, _encoding, done) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop();
      for (const part of parts) this.push({ line: part });
      done();
    },
    flush(done) {
      if (rest !== "") this.push({ line: rest, last: true });
      done();
    },
  });
};

export default {
  name: "Transforms",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const { body } = await fetch("https://logs.example.com/day");
    for await (const each of Readable.fromWeb(body).setEncoding("utf8").pipe(lines())) this.$emit(each);
    const hash = createHash("sha256");
    await pipeline(Readable.from(["a", "b", Buffer.from("c")]), createGzip(), createGunzip(), hash);
    this.$emit({ digest: hash.digest("hex") });
    const doubled = await Readable.from([1, 2, 3, 4])
      .filter((each) => each > 1)
      .map(async (each) => each * 2)
      .take(2)
      .toArray();
    this.$emit({ doubled });
    const broken = pipeline(
      Readable.from(["x"]),
      new Transform({ transform: (_chunk, _encoding, done) => done(new TypeError("no")) }),
      new PassThrough(),
    );
    this.$emit(await broken.catch(({ name, message }) => ({ name, message })));
  },
};
