/** A component as a plain object: the compiler knows the names of its props, and little more. */
export default {
  name: "Plain",
  version: "1.0.0",
  sampleEmit: { id: 7, at: new Date(0) },
  props: {
    board: { type: "string" },
    most: { type: "integer", optional: true },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    db: "$.service.db",
  },
  run(this: { board: string; $emit(event: object): void }): void {
    this.$emit({ id: this.board.length, at: new Date() });
  },
};
