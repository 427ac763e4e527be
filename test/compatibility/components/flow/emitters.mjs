import { EventEmitter, once } from "node:events";
import { callbackify, format, inherits, inspect, promisify, types } from "node:util";

function Client() {
  EventEmitter.call(this);
}
inherits(Client, EventEmitter);
Client.prototype.list = function list(callback) {
  setTimeout(() => callback(null, ["a", "b"]), 1);
};
class Typed extends EventEmitter {
  stop() {
    setTimeout(() => this.emit("stopped", 1, "two"), 1);
  }
}

export default {
  name: "Emitters",
  version: "0.0.1",
  props: {},
  async run() {
    const client = new Client();
    client.on("item", (item) => this.$emit({ item }));
    client.once("item", (item) => this.$emit({ first: item }));
    for (const item of await promisify(client.list).call(client)) client.emit("item", item);
    const typed = new Typed();
    typed.stop();
    const delayed = promisify(callbackify(async (value) => value * 2));
    this.$emit({
      stopped: await once(typed, "stopped"),
      doubled: await delayed(21),
      counts: [client.listenerCount("item"), client instanceof EventEmitter, typed.eventNames()],
      shown: [format("%s is %d and %j", "x", 5, { a: 1 }), inspect({ a: [1, { b: { c: {} } }] }), inspect("text")],
      types: [types.isPromise(Promise.resolve()), types.isDate(new Date())],
    });
    client.emit("error", new RangeError("nobody listens"));
  },
};
