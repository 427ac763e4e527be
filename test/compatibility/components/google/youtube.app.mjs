import { auth, youtube } from "@googleapis/youtube";

export default {
  type: "app",
  app: "google_youtube",
  methods: {
    client() {
      const oauth = new auth.OAuth2();
      oauth.setCredentials({ access_token: this.$auth.oauth_access_token });
      return youtube({ version: "v3", auth: oauth });
    },
  },
};
