import axios from "axios";
import qs from "qs";
import { v4, v5, validate, version } from "uuid";

const NAMESPACE = v5("compat.example.com", v5.DNS);

/** Arrays and objects in a query the way qs writes them; ids from what was found. */
export default {
  name: "Serialized queries",
  version: "0.0.1",
  dedupe: "unique",
  props: { http: "$.interface.http" },
  async run({ body, bodyRaw }) {
    const api = axios.create({
      baseURL: "https://query.example.com",
      headers: { "X-Request": version(v4()) },
      paramsSerializer: {
        serialize: (params) => qs.stringify(params, { arrayFormat: "repeat", allowDots: true, skipNulls: true }),
      },
    });
    const form = typeof body === "string" ? qs.parse(bodyRaw, { depth: 3, arrayLimit: 5 }) : body;
    const { data } = await api.get("/search", {
      params: { ids: [1, 2], range: { from: 1, to: { at: "x y" } }, none: null, form },
    });
    for (const found of data) {
      const id = v5(JSON.stringify(found), NAMESPACE);
      this.$emit(
        { ...found, valid: validate(id) },
        { id, summary: qs.stringify(found, { addQueryPrefix: true, encode: false }) },
      );
    }
    await api.post("/form", qs.stringify(form, { arrayFormat: "brackets", format: "RFC1738" }));
  },
};
