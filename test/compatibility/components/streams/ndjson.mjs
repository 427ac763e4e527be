import https from "node:https";
import split2 from "split2";

export default {
  name: "Newline JSON",
  version: "0.0.1",
  dedupe: "unique",
  props: { db: "$.service.db", timer: "$.interface.timer" },
  run() {
    return new Promise((resolve, reject) => {
      const from = this.db.get("from") ?? 0;
      let count = 0;
      https.get(`https://events.example.com/export?from=${from}`, (response) => {
        response
          .pipe(split2(JSON.parse))
          .on("data", (event) => {
            count += 1;
            this.$emit(event, { id: event.id, summary: `#${event.id}`, ts: event.at });
          })
          .on("error", ({ name }) => reject(new Error(`bad line: ${name}`)))
          .on("end", () => {
            this.db.set("from", from + count);
            resolve();
          });
      });
    });
  },
};
