import axios from "axios";

/** The codes that axios gives to a connection that broke, to one on which nothing came, and to one that is given up. */
export default {
  name: "Lost codes",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 300 } } },
  async run() {
    const told = ({ name, code, message }) => ({ name, code, message });
    this.$emit(await axios.get("https://lost.example.com/broken").catch(told));
    const silent = (config) => axios.get("https://lost.example.com/silent", config).catch(told);
    this.$emit(await silent({ timeout: 600 }));
    const transitional = { clarifyTimeoutError: true };
    this.$emit(await silent({ timeout: 600, timeoutErrorMessage: "too slow", transitional }));
    this.$emit(await silent({ signal: AbortSignal.timeout(600) }));
    const source = axios.CancelToken.source();
    setTimeout(() => source.cancel("not needed"), 100);
    this.$emit(await silent({ cancelToken: source.token }));
  },
};
