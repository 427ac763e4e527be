import { auth, sheets } from "@googleapis/sheets";

export default {
  type: "app",
  app: "google_sheets",
  methods: {
    client() {
      const oauth = new auth.OAuth2();
      oauth.setCredentials({ access_token: this.$auth.oauth_access_token });
      return sheets({ version: "v4", auth: oauth });
    },
  },
};
