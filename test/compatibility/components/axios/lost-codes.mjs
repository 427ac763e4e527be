import axios from "axios";

/** The codes that axios gives to a connection that broke, and to one on which nothing came. */
export default {
  name: "Lost codes",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 300 } } },
  async run() {
    const told = ({ name, code, message }) => ({ name, code, message });
    this.$emit(await axios.get("https://lost.example.com/broken").catch(told));
    this.$emit(await axios.get("https://lost.example.com/silent", { timeout: 100 }).catch(told));
  },
};
