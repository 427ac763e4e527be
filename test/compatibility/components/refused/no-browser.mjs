// What packages look at to tell a browser from Node.
const found = {
  self: typeof self,
  window: typeof window,
  document: typeof document,
  global: typeof global,
  isBrowser: typeof self !== "undefined" && typeof window === "undefined",
};

export default {
  name: "Where packages run",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    this.$emit(found);
  },
};
