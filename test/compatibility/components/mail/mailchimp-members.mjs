import mailchimp from "@mailchimp/mailchimp_marketing";

export default {
  name: "Mailchimp Members",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    mailchimp: {
      type: "app",
      app: "mailchimp",
      methods: {
        api() {
          mailchimp.setConfig({ accessToken: this.$auth.oauth_access_token, server: this.$auth.dc });
          return mailchimp;
        },
      },
    },
    db: "$.service.db",
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
    listId: "string",
  },
  hooks: {
    async activate() {
      const { id } = await this.mailchimp
        .api()
        .lists.createListWebhook(this.listId, { url: "https://here.example.com", events: { subscribe: true } });
      this.db.set("hookId", id);
    },
    async deactivate() {
      await this.mailchimp.api().lists.deleteListWebhook(this.listId, this.db.get("hookId"));
    },
  },
  async run() {
    const options = {
      count: 2,
      sinceTimestampOpt: this.db.get("since"),
      fields: ["members.id", "members.email_address"],
    };
    const { members } = await this.mailchimp.api().lists.getListMembersInfo(this.listId, options);
    members.forEach((member) => this.$emit(member, { id: member.id, summary: member.email_address }));
    await this.mailchimp
      .api()
      .ping.get()
      .catch((error) => {
        throw new Error(`Mailchimp: ${error.status} ${error.response.body.title}`);
      });
  },
};
