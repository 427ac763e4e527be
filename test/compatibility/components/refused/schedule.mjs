// Its timer is the event.
export default {
  name: "Schedule",
  version: "0.0.1",
  type: "source",
  props: { cron: { type: "$.interface.timer", default: { cron: "0 0 * * *" } } },
};
