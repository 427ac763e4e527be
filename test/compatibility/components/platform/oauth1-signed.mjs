import { axios, transformConfigForOauth } from "@pipedream/platform";

/** Requests of OAuth 1, signed by a service. */
export default {
  name: "Signed by OAuth 1",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    microblog: {
      type: "app",
      app: "microblog",
      methods: {
        token() {
          return { key: this.$auth.oauth_access_token, secret: this.$auth.oauth_refresh_token };
        },
        request(config) {
          return axios(this, config, { token: this.token(), oauthSignerUri: this.$auth.oauth_signer_uri });
        },
      },
    },
  },
  async run() {
    const url = "https://api.microblog.example.com/1.1/search.json";
    const found = await this.microblog.request({ url, params: { q: "it's (great)! *", count: 2 } });
    found.statuses.forEach((each) => this.$emit(each, { id: each.id_str, summary: each.text }));
    const form = {
      url: "https://api.microblog.example.com/1.1/update.json",
      method: "post",
      data: "status=hello%20there&x=1",
    };
    this.$emit(transformConfigForOauth({ ...form, headers: { "Content-Type": "application/x-www-form-urlencoded" } }), {
      id: "form",
    });
    await this.microblog.request(form);
  },
};
