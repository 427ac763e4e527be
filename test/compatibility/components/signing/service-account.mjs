import { OAuth2Client } from "google-auth-library";

export default {
  name: "Service account",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const client = new OAuth2Client({ clientId: "c", clientSecret: "s", redirectUri: "https://me.example.com/back" });
    this.$emit({ url: client.generateAuthUrl({ access_type: "offline", scope: ["a", "b"] }) });
    client.setCredentials({ refresh_token: "rt" });
    const { data, status } = await client.request({
      url: "https://www.googleapis.com/drive/v3/files",
      params: { q: "ü" },
    });
    this.$emit({ data, status });
    const refused = await client
      .request({ url: "https://www.googleapis.com/drive/v3/none" })
      .catch(({ status, message }) => ({ status, message }));
    this.$emit(refused);
  },
};
