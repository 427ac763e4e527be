import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export default {
  name: "Optional props of other services",
  version: "0.0.1",
  props: {
    timer: "$.interface.timer",
    files: { type: "dir", accessMode: "write", sync: true },
    query: { type: "sql", optional: true },
    table: { type: "$.airtable.tableId", optional: true },
    share: { type: "number", min: 0, max: 1 },
    rates: { type: "number[]", optional: true },
  },
  run() {
    const path = join(this.files.path, "x-optional-types.txt");
    writeFileSync(path, "kept for a run");
    const left = [this.query, this.table].map((value) => typeof value);
    this.$emit({ text: readFileSync(path, "utf8"), left, share: this.share * 2, rates: this.rates });
  },
};
