import Papa from "papaparse";

export default {
  name: "Tables",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const text = await (await fetch("https://tables.example.com/people.csv")).text();
    const { data, errors, meta } = Papa.parse(text, { header: true, dynamicTyping: true, skipEmptyLines: true });
    for (const row of data) this.$emit(row);
    this.$emit({ errors, fields: meta.fields, delimiter: meta.delimiter, back: Papa.unparse(data) });
  },
};
