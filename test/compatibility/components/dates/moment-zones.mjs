import moment from "moment";
import momentTimezone from "moment-timezone";

export default {
  name: "Meetings by moment",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } } },
  run({ timestamp }) {
    const at = moment.unix(timestamp).utc();
    this.$emit({
      iso: at.toISOString(),
      week: at.clone().startOf("isoWeek").format("YYYY-[W]WW-E"),
      ago: at.from(moment.unix(timestamp + 7_200)),
      months: at.clone().add(1, "month").diff(at, "days"),
      strict: moment("31/02/2026", "DD/MM/YYYY", true).isValid(),
      berlin: momentTimezone(at).tz("Europe/Berlin").format("YYYY-MM-DD HH:mm z Z"),
      summer: momentTimezone.tz("2026-07-01 12:00", "America/New_York").utc().format(),
      calendar: moment.utc("2026-03-01T10:00:00Z").locale("en").format("LLLL"),
    });
  },
};
