import twilio from "twilio";

/** Answers a message by TwiML when Twilio really sent it, and reads what was said before. */
export default {
  name: "Twilio Message",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    twilio: {
      type: "app",
      app: "twilio",
      methods: {
        client() {
          return twilio(this.$auth.sid, this.$auth.secret, { accountSid: this.$auth.account });
        },
      },
    },
    http: { type: "$.interface.http", customResponse: true },
    authToken: { type: "string", secret: true },
  },
  async run({ body, headers }) {
    const params = Object.fromEntries(new URLSearchParams(body));
    if (!twilio.validateRequest(this.authToken, headers["x-twilio-signature"], "https://here.example.com/in", params)) {
      this.http.respond({ status: 403, body: "Not from Twilio" });
      return;
    }
    const answer = new twilio.twiml.MessagingResponse();
    answer.message(`You said: ${params.Body}`);
    this.http.respond({ status: 200, headers: { "Content-Type": "text/xml" }, body: answer.toString() });
    const client = this.twilio.client();
    const earlier = await client.messages.list({ from: params.From, limit: 3, pageSize: 2 });
    const { sid } = await client.messages.create({ to: params.From, from: "+1", body: "ö & ü" });
    this.$emit(
      { ...params, earlier: earlier.map((each) => [each.sid, each.dateSent]), sid },
      { id: params.MessageSid, summary: params.Body },
    );
  },
};
