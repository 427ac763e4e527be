import Client from "ssh2-sftp-client";

export default {
  name: "SFTP client",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const client = new Client("Orders");
    this.$emit(await client.list("/in").catch(({ message, code }) => ({ message, code })));
    this.$emit(await client.end());
  },
};
