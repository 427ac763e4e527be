import { createTwoFilesPatch, diffLines } from "diff";
import iconv from "iconv-lite";
import { Parser } from "json2csv";
import { decodeTime, ulid } from "ulid";

export default {
  name: "Compared",
  version: "0.0.1",
  props: { db: "$.service.db", http: "$.interface.http" },
  run({ body }) {
    const before = this.db.get("text") ?? "";
    this.db.set("text", body.text);
    this.$emit({
      patch: createTwoFilesPatch("a", "b", before, body.text),
      parts: diffLines(before, body.text).map(({ added = false, removed = false, value }) => ({
        added,
        removed,
        value,
      })),
    });
    this.$emit({
      latin: iconv.encode("Zoë €", "win1252").toString("hex"),
      back: iconv.decode(Buffer.from("5a6feb2080", "hex"), "win1252"),
      sjis: iconv.encode("日本", "Shift_JIS").toString("hex"),
    });
    this.$emit({
      csv: new Parser({ fields: ["id", { label: "N", value: "deep.name" }] }).parse([{ id: 1, deep: { name: 'a"b' } }]),
    });
    this.$emit({ time: decodeTime(ulid(1_767_225_600_000)) });
  },
};
