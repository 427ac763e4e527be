/** What authors ask of Intl. */
export default {
  name: "Locales",
  version: "0.0.1",
  props: {},
  run({ timestamp }) {
    const at = new Date(timestamp * 1_000);
    const parts = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone: "Asia/Tokyo" });
    this.$emit({
      full: parts.format(at),
      parts: new Intl.DateTimeFormat("en-US", { hour: "2-digit", hour12: false, timeZone: "UTC" }).formatToParts(at),
      money: new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" }).format(1234567.891),
      compact: new Intl.NumberFormat("en", { notation: "compact" }).format(1_234_567),
      plural: [0, 1, 2, 5].map((count) => new Intl.PluralRules("pl").select(count)),
      ago: new Intl.RelativeTimeFormat("fr", { numeric: "auto" }).format(-1, "day"),
      list: new Intl.ListFormat("en", { type: "conjunction" }).format(["a", "b", "c"]),
      sorted: ["ä", "z", "a10", "a2"].toSorted(new Intl.Collator("sv", { numeric: true }).compare),
      compared: ["résumé".localeCompare("resume", "en", { sensitivity: "base" }), "a".localeCompare("b")],
      localeDate: at.toLocaleDateString("es-ES", { weekday: "long", month: "long", day: "numeric", timeZone: "UTC" }),
      localeNumber: (1234.5).toLocaleString("en-IN"),
      upper: "istanbul".toLocaleUpperCase("tr"),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  },
};
