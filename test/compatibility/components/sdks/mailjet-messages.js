import Mailjet from "node-mailjet";

export default {
  name: "Mailjet messages",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const client = Mailjet.apiConnect("public", "private");
    const { body } = await client.get("message").request({}, { Limit: 2, CustomID: "ü" });
    for (const { ID, Status } of body.Data) this.$emit({ ID, Status });
    const sent = await client
      .post("send", { version: "v3.1" })
      .request({ Messages: [{ From: { Email: "a@example.com" }, To: [{ Email: "b@example.com" }], Subject: "Ü" }] });
    this.$emit(sent.body);
    this.$emit(
      await client
        .get("contact")
        .id(404)
        .request()
        .catch(({ statusCode, message }) => ({ statusCode, message })),
    );
  },
};
