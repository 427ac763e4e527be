import { parse } from "csv-parse";
import { parse as parseSync } from "csv-parse/sync";

export default {
  name: "Rows of CSV",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db" },
  async run() {
    const answer = await fetch("https://files.example.com/export.csv");
    const text = await answer.text();
    const parser = parse({
      columns: true,
      bom: true,
      skip_empty_lines: true,
      cast: (value, { header }) => (header ? value : value.trim()),
    });
    parser.end(text);
    for await (const row of parser) this.$emit(row, { id: row.id });
    this.db.set("rows", parseSync(text, { bom: true, to_line: 2 }));
    parseSync('a,b\n"1,2', { columns: true });
  },
};
