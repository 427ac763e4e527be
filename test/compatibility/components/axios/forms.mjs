import axios from "axios";

/** Bodies: forms, JSON of our own, bytes, text; and the three ways to say who we are. */
export default {
  name: "Forms",
  version: "0.0.1",
  props: { http: { type: "$.interface.http" }, user: "string", password: { type: "string", secret: true } },
  async run({ body }) {
    const { user: username, password } = this;
    const api = axios.create({ baseURL: "https://forms.example.com/" });
    const { data: token } = await api.post(
      "oauth/token",
      new URLSearchParams({ grant_type: "client_credentials", scope: "a b+c" }),
      { auth: { username, password } },
    );
    api.defaults.headers.common.Authorization = `${token.token_type} ${token.access_token}`;
    const answers = [
      await api.post("form", body, { headers: { "Content-Type": "application/x-www-form-urlencoded" } }),
      await api.postForm("multipart", { ...body, list: [1, 2], nested: { deep: "x" } }),
      await api.put("json", JSON.stringify(body), { headers: { "Content-Type": "application/vnd.api+json" } }),
      await api.patch("bytes", Buffer.from([0, 1, 254, 255]), {
        headers: { "content-type": "application/octet-stream" },
      }),
      await api.post("text", "plain ✓"),
      await api.post("transformed", body, {
        transformRequest: [
          (data, headers) => headers.set("X-Kind", "list") && Object.keys(data),
          ...axios.defaults.transformRequest,
        ],
      }),
      await api.request({ url: "empty", method: "POST" }),
      await api.head("head"),
      await api.options("options"),
    ];
    this.$emit(answers.map(({ status, data }) => ({ status, data })));
  },
};
