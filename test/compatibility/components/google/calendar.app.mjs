import { auth, calendar } from "@googleapis/calendar";

export default {
  type: "app",
  app: "google_calendar",
  methods: {
    client() {
      const oauth = new auth.OAuth2();
      oauth.setCredentials({ access_token: this.$auth.oauth_access_token });
      return calendar({ version: "v3", auth: oauth });
    },
  },
};
