import net from "node:net";
import vm from "node:vm";
import zlib from "node:zlib";

/** Packages ask for these while they load. */
const sum = new vm.Script("(first, second) => first + second");
const attemptMs = net.getDefaultAutoSelectFamilyAttemptTimeout();
const Engine = zlib.createInflate()._handle.constructor;
const isBrowser = typeof self !== "undefined" || typeof window !== "undefined";

export default {
  name: "Scripts",
  version: "0.0.1",
  props: {},
  async run() {
    const add = sum.runInThisContext();
    this.$emit({ sum: add(1, 2), attemptMs, engine: typeof Engine, isBrowser });
    this.$emit(vm.runInThisContext("[typeof module, typeof globalThis]"));
    this.$emit(vm.compileFunction("return `${greeting}, ${name}`", ["greeting", "name"])("Grüße", "Ü"));
    this.$emit(vm.isContext({}));
    try {
      new vm.Script("1 +");
    } catch (error) {
      this.$emit(error.name);
    }
  },
};
