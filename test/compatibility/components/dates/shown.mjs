export default {
  name: "Shown",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run({ timestamp }) {
    const at = new Date(timestamp * 1000);
    const parts = new Intl.DateTimeFormat("de-AT", {
      dateStyle: "full",
      timeStyle: "long",
      timeZone: "Europe/Vienna",
    }).formatToParts(at);
    this.$emit(parts.map(({ type, value }) => `${type}=${value}`));
    this.$emit(new Intl.RelativeTimeFormat("fr", { numeric: "auto" }).format(-1, "day"));
    this.$emit(new Intl.ListFormat("en", { type: "disjunction" }).format(["a", "b", "c"]));
    this.$emit([
      at.toLocaleDateString("en-GB"),
      at.toLocaleTimeString("en-US", { timeZone: "Asia/Tokyo" }),
      at.toUTCString(),
      at.toJSON(),
    ]);
    this.$emit([
      new Date("2026-02-30").getTime(),
      Date.parse("Thu, 01 Jan 1970 00:00:00 GMT+0200"),
      new Date(2026, 0, 31, 25).toISOString(),
    ]);
    this.$emit([
      (1234567.891).toLocaleString("de-DE"),
      new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" }).format(123456.7),
    ]);
    this.$emit(["z", "ä", "a", "Z"].sort(new Intl.Collator("de").compare));
  },
};
