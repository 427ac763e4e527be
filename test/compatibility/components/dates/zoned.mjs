import { addBusinessDays, differenceInCalendarDays, formatISO, parseISO } from "date-fns";
import { formatInTimeZone, fromZonedTime, toZonedTime } from "date-fns-tz";

export default {
  name: "Zoned",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run({ timestamp }) {
    const at = new Date(timestamp * 1000);
    for (const zone of ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland"])
      this.$emit({
        zone,
        local: formatInTimeZone(at, zone, "yyyy-MM-dd HH:mm:ss XXX"),
        hour: toZonedTime(at, zone).getHours(),
      });
    const meeting = fromZonedTime("2026-03-29 02:30", "Europe/Berlin");
    this.$emit({
      meeting: meeting.toISOString(),
      due: formatISO(addBusinessDays(meeting, 3), { representation: "date" }),
    });
    this.$emit({ days: differenceInCalendarDays(parseISO("2026-12-24"), at) });
  },
};
