import fs from "node:fs";
import { readFile, stat, unlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

export default {
  name: "Temporary files",
  version: "0.0.1",
  props: {},
  async run({ timestamp }) {
    const file = path.join("/tmp", `x-compatibility-${timestamp}.txt`);
    fs.writeFileSync(file, "one\n");
    fs.appendFileSync(file, "two\n");
    await new Promise((resolve, reject) => {
      const out = fs.createWriteStream(file, { flags: "a" });
      out.on("error", reject).on("finish", resolve);
      out.end("three\n");
    });
    const text = await readFile(file, "utf8");
    const { size } = await stat(file);
    await writeFile(`${file}.copy`, Buffer.from(text));
    const chunks = [];
    for await (const chunk of fs.createReadStream(`${file}.copy`, { encoding: "utf8" })) chunks.push(chunk);
    await unlink(`${file}.copy`);
    fs.unlinkSync(file);
    this.$emit({
      text,
      size,
      copied: chunks.join(""),
      left: fs.existsSync(file),
      temporary: os.tmpdir(),
      parts: [
        path.basename(file, ".txt"),
        path.extname(file),
        path.resolve("/a", "../b"),
        path.relative("/a/b", "/a/c"),
      ],
    });
    fs.readFileSync("/tmp/x-compatibility-absent");
  },
};
