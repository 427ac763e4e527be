import client from "./compiled.cjs";

const made: { region: string } = new client.default("us");

export default {
  name: "Typed default",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run(this: { $emit(event: unknown): void }): Promise<void> {
    this.$emit({ ...made, keys: Object.keys(client) });
  },
};
