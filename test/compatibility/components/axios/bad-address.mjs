import axios from "axios";

/** An address that is none. */
export default {
  name: "Bad address",
  version: "0.0.1",
  props: { http: "$.interface.http" },
  async run({ body }) {
    const told = (error) => ({ name: error.name, code: error.code, own: axios.isAxiosError(error) });
    this.$emit(await axios.get(body.url).catch(told));
  },
};
