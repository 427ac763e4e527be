/** Counts its runs: the smallest source with a schedule and a db. */
export default {
  name: "Cron counter",
  version: "0.1.0",
  key: "example-cron-counter",
  description: "Emits a number that is one higher at every run",
  props: {
    timer: { type: "$.interface.timer", label: "Schedule", default: { cron: "* * * * *" } },
    db: "$.service.db",
  },
  run(event) {
    const count = (this.db.get("count") ?? 0) + 1;
    this.db.set("count", count);
    this.$emit(
      { count, scheduled: new Date(event.timestamp * 1000).toISOString() },
      { summary: `Run ${count}`, ts: event.timestamp * 1000 },
    );
  },
};
