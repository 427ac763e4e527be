import { axios, cloneSafe, ConfigurationError, jsonStringifySafe } from "@pipedream/platform";

const told = (error) => ({
  name: error.name,
  message: error.message,
  status: error.response?.status,
  hasConfig: "config" in error,
});

/** What the platform's axios makes of errors, and its other helpers. */
export default {
  name: "Errors and exports",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  async run({ body }) {
    const exported = [];
    const $ = { context: {}, export: (key, value) => exported.push([key, value.status ?? value.method]) };
    const url = "https://api.example.com/thing";
    const failed = await axios($, { url, method: "put", data: { kept: 1, dropped: undefined } }).catch(told);
    const misused = await axios($, { url, body: {} }).catch(told);
    const { status, data } = await axios($, {
      url: `${url}?a=1&b=x%26y`,
      params: { b: "first", c: [1, 2] },
      debug: true,
      returnFullResponse: true,
    });
    const client = axios.create({ baseURL: "https://api.example.com/", headers: { Authorization: "Bearer c" } });
    const created = await client.post("create", { name: body.name, gone: undefined });
    const circular = { name: "c" };
    circular.self = circular;
    this.$emit({
      failed,
      misused,
      status,
      data,
      created,
      exported,
      text: jsonStringifySafe(circular),
      copy: cloneSafe({ at: new Date(0) }),
    });
    throw new ConfigurationError(`Not with ${body.name}`);
  },
};
