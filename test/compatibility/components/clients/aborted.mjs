export default {
  name: "Aborted",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const tell = ({ name, message, code }) => ({ name, message, code });
    const controller = new AbortController();
    controller.abort();
    this.$emit(await fetch("https://slow.example.com/", { signal: controller.signal }).catch(tell));
    controller.signal.throwIfAborted === undefined ||
      this.$emit(tell(new Promise(() => {}) && controller.signal.reason));
    const answer = await fetch("https://slow.example.com/ok");
    this.$emit([await answer.clone().json(), answer.bodyUsed, await answer.text(), answer.bodyUsed]);
    this.$emit(await answer.text().catch(({ name }) => ({ name })));
  },
};
