// What clients of queues, proxies and file servers do at load.
const net = require("node:net");
const vm = require("node:vm");
const zlib = require("node:zlib");

const attemptMs = net.getDefaultAutoSelectFamilyAttemptTimeout() > 0;
const Handle = zlib.createInflate()._handle.constructor;
const script = new vm.Script("(function (a, b) { return a + b; })");
const add = script.runInThisContext();
const compiled = vm.compileFunction("return list.length", ["list"]);
const context = vm.createContext({ a: 1 });

let syntax = "none";
try {
  new vm.Script("(");
} catch (error) {
  syntax = error.name;
}

module.exports = {
  name: "Node at load",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  run() {
    this.$emit({
      attemptMs,
      handle: typeof Handle,
      sum: add(1, 2),
      length: compiled([1, 2, 3]),
      isContext: [vm.isContext(context), vm.isContext({})],
      value: vm.runInThisContext("6 * 7"),
      syntax,
    });
  },
};
