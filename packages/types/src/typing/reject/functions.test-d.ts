/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineComponent } from "@x/types";

// # a literal event with a function in it
defineComponent({
  name: "case",
  version: "0.0.1",
  run() {
    // @ts-expect-error -- total: JSON has no functions
    this.$emit({ id: "a", total: () => 1 });
  },
});

// # a literal event with a method in it, with dedupe
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  run() {
    const event = {
      id: "a",
    };
    this.$emit(
      {
        ...event,
        // @ts-expect-error -- total: JSON has no functions
        total() {
          return 1;
        },
      },
      { id: "a" },
    );
  },
});

// # a literal event with a method that was not called
defineComponent({
  name: "case",
  version: "0.0.1",
  methods: {
    total(): number {
      return 1;
    },
  },
  run() {
    // @ts-expect-error -- total: JSON has no functions
    this.$emit({ id: "a", total: this.total });
  },
});
