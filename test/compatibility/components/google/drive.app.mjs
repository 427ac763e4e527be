import { auth, drive } from "@googleapis/drive";

export default {
  type: "app",
  app: "google_drive",
  methods: {
    client() {
      const oauth = new auth.OAuth2();
      oauth.setCredentials({ access_token: this.$auth.oauth_access_token });
      return drive({ version: "v3", auth: oauth });
    },
  },
};
