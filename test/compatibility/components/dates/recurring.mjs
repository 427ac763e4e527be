import rrule from "rrule";

export default {
  name: "Recurring",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    const rule = rrule.rrulestr("DTSTART:20260131T100000Z\nRRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=4");
    this.$emit({ dates: rule.all().map((date) => date.toISOString()), text: rule.toText() });
    const weekly = new rrule.RRule({
      freq: rrule.RRule.WEEKLY,
      byweekday: [rrule.RRule.MO, rrule.RRule.FR],
      dtstart: new Date("2026-01-01T09:00:00Z"),
      count: 3,
    });
    this.$emit({ next: weekly.after(new Date("2026-01-03T00:00:00Z")).toISOString(), rule: weekly.toString() });
  },
};
