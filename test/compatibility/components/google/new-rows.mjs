import sheets from "./sheets.app.mjs";

/** Rows that came below the last one seen; tells the sheet how many. */
export default {
  name: "New Rows",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    sheets,
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    spreadsheetId: "string",
  },
  async run() {
    const { spreadsheets } = this.sheets.client();
    const first = this.db.get("rows") ?? 1;
    const { data } = await spreadsheets.values.get({
      spreadsheetId: this.spreadsheetId,
      range: `Ärger's!A${first}:C`,
      majorDimension: "ROWS",
    });
    (data.values ?? []).forEach((row, index) =>
      this.$emit({ row }, { id: `${first + index}`, summary: row.join(" | ") }),
    );
    const rows = first + (data.values?.length ?? 0);
    this.db.set("rows", rows);
    const { data: written } = await spreadsheets.values.append({
      spreadsheetId: this.spreadsheetId,
      range: "Log!A1",
      valueInputOption: "RAW",
      requestBody: { values: [["rows", rows]] },
    });
    this.$emit(written.updates, { id: `log ${rows}` });
  },
};
