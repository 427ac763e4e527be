import { DateTime, Duration, Interval } from "luxon";

export default {
  name: "Slots by luxon",
  version: "0.0.1",
  props: {},
  run({ timestamp }) {
    const start = DateTime.fromSeconds(timestamp, { zone: "America/Los_Angeles" });
    const slots = Interval.fromDateTimes(start, start.plus({ hours: 3 })).splitBy({ hours: 1 });
    this.$emit({
      slots: slots.map((slot) => slot.toISOTime({ suppressMilliseconds: true })),
      long: start.setLocale("de").toLocaleString(DateTime.DATETIME_HUGE),
      zone: start.zoneName,
      offset: start.toFormat("ZZZZ ZZ"),
      human: Duration.fromObject({ days: 2, hours: 5 }).toHuman(),
      relative: start.toRelative({ base: start.plus({ days: 4 }) }),
      invalid: DateTime.fromISO("2026-13-01").invalidExplanation,
    });
  },
};
