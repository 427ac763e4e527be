import axios, { AxiosError } from "axios";

const told = (error) => ({
  ours: error instanceof AxiosError && axios.isAxiosError(error),
  name: error.name,
  message: error.message,
  code: error.code,
  status: error.response?.status,
  data: error.response?.data,
  sent: error.config?.data,
  json: error.toJSON?.().status,
});

/** What axios says of each kind of bad answer. */
export default {
  name: "Error answers",
  version: "0.0.1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 300 } } },
  async run() {
    const base = "https://bad.example.com";
    const calls = [
      () => axios.get(`${base}/401`),
      () => axios.post(`${base}/404`, { a: 1 }),
      () => axios.delete(`${base}/500`, { data: { reason: "old" } }),
      () => axios.get(`${base}/malformed`, { responseType: "json", transitional: { silentJSONParsing: false } }),
      () => axios.get(`${base}/malformed`),
      () => axios.get(`${base}/404`, { validateStatus: (status) => status < 500 }),
      () => axios.get(`${base}/empty`),
      () => axios.get(`${base}/long`, { maxContentLength: 10 }),
      () => axios.get(`${base}/401`, { signal: AbortSignal.abort() }),
    ];
    for (const [index, call] of calls.entries()) {
      const outcome = await call().then(({ status, data }) => ({ status, data }), told);
      this.$emit({ index, ...outcome });
    }
    await axios.get(`${base}/500`);
  },
};
