import recurly from "recurly";

export default {
  name: "Recurly accounts",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const client = new recurly.Client("key");
    for await (const { id, code, email } of client.listAccounts({ params: { limit: 2, order: "asc" } }).each())
      this.$emit({ id, code, email }, { id });
    const failed = await client.getAccount("code-none").catch((error) => ({
      is: error instanceof recurly.errors.NotFoundError,
      name: error.name,
      message: error.message,
    }));
    this.$emit(failed);
  },
};
