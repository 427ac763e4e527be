import { CronExpressionParser } from "cron-parser";
import {
  addBusinessDays,
  differenceInCalendarDays,
  eachDayOfInterval,
  format,
  formatDistance,
  parseISO,
} from "date-fns";
import dateFormat from "dateformat";
import timezones from "timezones-list";

export default {
  name: "Due dates",
  version: "0.0.1",
  props: {},
  run({ timestamp }) {
    const now = new Date(timestamp * 1_000);
    const due = addBusinessDays(now, 5);
    const next = CronExpressionParser.parse("0 9 * * 1-5", { currentDate: now, tz: "Europe/London" });
    const zones = timezones.default ?? timezones;
    this.$emit({
      due: format(due, "yyyy-MM-dd EEEE"),
      days: differenceInCalendarDays(due, now),
      range: eachDayOfInterval({ start: now, end: due }).length,
      distance: formatDistance(parseISO("2026-02-01"), now, { addSuffix: true }),
      crons: [next.next(), next.next()].map((date) => date.toISOString()),
      shown: dateFormat(now, "UTC:dddd, mmmm dS, yyyy, h:MM:ss TT"),
      zone: zones.find(({ tzCode }) => tzCode === "Europe/Paris")?.tzCode,
    });
  },
};
