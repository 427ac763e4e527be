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
    this.$emit(await fetch("https://slow.example.com/silent", { signal: AbortSignal.timeout(20) }).catch(tell));
    const own = new AbortController();
    const asked = fetch("https://slow.example.com/silent", {
      signal: AbortSignal.any([own.signal, AbortSignal.timeout(60_000)]),
    });
    own.abort(new RangeError("enough"));
    this.$emit(await asked.catch(tell));
    const answer = await fetch("https://slow.example.com/ok");
    this.$emit([await answer.clone().json(), answer.bodyUsed, await answer.text(), answer.bodyUsed]);
    this.$emit(await answer.text().catch(({ name }) => ({ name })));
  },
};
