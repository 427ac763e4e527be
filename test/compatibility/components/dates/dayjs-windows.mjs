import dayjs from "dayjs";
import duration from "dayjs/plugin/duration.js";
import relativeTime from "dayjs/plugin/relativeTime.js";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

for (const plugin of [duration, relativeTime, utc, timezone]) dayjs.extend(plugin);

export default {
  name: "Windows by dayjs",
  version: "0.0.1",
  props: { zone: { type: "string", default: "Asia/Kolkata" } },
  run({ timestamp }) {
    const at = dayjs.unix(timestamp).tz(this.zone);
    this.$emit({
      local: at.format("YYYY-MM-DDTHH:mm:ssZ"),
      day: at.startOf("day").toISOString(),
      from: at.to(at.add(3, "day")),
      long: dayjs.duration({ hours: 25, minutes: 10 }).toISOString(),
      parsed: dayjs.tz("2026-10-25 02:30", "Europe/Berlin").toISOString(),
    });
  },
};
