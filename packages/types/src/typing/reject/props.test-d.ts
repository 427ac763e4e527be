/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineComponent } from "@x/types";

// # an unknown type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      // @ts-expect-error -- type: no prop type is called strin
      type: "strin",
    },
  },
  methods: {
    shout(): void {},
  },
  run() {
    this.shout();
  },
});

// # a list of a type that has none
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    bags: {
      // @ts-expect-error -- type: object[] does not exist: only string[], integer[], number[] and boolean[] are lists
      type: "object[]",
    },
  },
  run() {},
});

// # an unknown short form
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    // @ts-expect-error -- db: the short forms of props are
    db: "$.service.database",
  },
  run() {},
});

// # a short form of a type that has none
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    // @ts-expect-error -- text: the short forms of props are
    text: "string",
  },
  run() {},
});

// # a prop without a type
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    // @ts-expect-error -- text: a prop needs a type or a propDefinition
    text: { label: "Text" },
  },
  run() {},
});

// # a prop that is no definition
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    // @ts-expect-error -- count: a prop is an object or the short form of a service
    count: 3,
  },
  run() {},
});

// # a misspelt field
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- optionel: a prop has no field optionel
      optionel: true,
    },
  },
  run() {},
});

// # customResponse on a timer
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    timer: {
      type: "$.interface.timer",
      // @ts-expect-error -- customResponse: only $.interface.http props have customResponse
      customResponse: true,
    },
  },
  run() {},
});

// # a secret that is no text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    pin: {
      type: "integer",
      // @ts-expect-error -- secret: only string props can be secret
      secret: true,
    },
  },
  run() {},
});

// # a range of text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- min: only number props have min
      min: 1,
    },
  },
  run() {},
});

// # a limit that is text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    count: {
      type: "integer",
      // @ts-expect-error -- max: max of a prop of type integer must be a number
      max: "9",
    },
  },
  run() {},
});

// # options of a service
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    db: {
      type: "$.service.db",
      // @ts-expect-error -- options: a prop of type $.service.db has no options
      options: ["a"],
    },
  },
  run() {},
});

// # a data store by a number
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    shop: {
      type: "data_store",
      // @ts-expect-error -- default: default of a prop of type data_store must be the name of a data store, as text
      default: 7,
    },
  },
  run() {},
});

// # a list of data stores
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    shop: {
      // @ts-expect-error -- type: data_store[] does not exist: only string[], integer[], number[] and boolean[] are lists
      type: "data_store[]",
    },
  },
  run() {},
});

// # optional as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- optional: optional of a prop of type string must be true or false
      optional: "yes",
    },
  },
  run() {},
});

// # a label that is no text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- label: label of a prop of type string must be text
      label: 1,
    },
  },
  run() {},
});

// # options that are no list
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must be a list or a method
      options: "a,b",
    },
  },
  run() {},
});

// # one mistake among props with option methods and methods that use them
defineComponent({
  name: "case",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    board: {
      type: "string",
      async options({ page }) {
        return this.names(page);
      },
    },
    text: {
      // @ts-expect-error -- type: no prop type is called text
      type: "text",
    },
  },
  methods: {
    names(page: number): string[] {
      return [String(page), this.board, this.text];
    },
  },
  hooks: {
    async deploy() {
      this.names(0);
    },
  },
  run() {
    for (const id of this.names(1)) this.$emit({ id, board: this.board }, { id });
  },
});

// # choices of text that are numbers
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must be a list or a method, with values of that type
      options: [1, 2],
    },
  },
  run() {},
});

// # choices of numbers that are text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    count: {
      type: "integer",
      // @ts-expect-error -- options: options of a prop of type integer must be a list or a method, with values of that type
      options: ["one"],
    },
  },
  run() {},
});

// # labelled choices without values
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      type: "string",
      // @ts-expect-error -- options: options of a prop of type string must be a list or a method, with values of that type
      options: [{ label: "One", val: "one" }],
    },
  },
  run() {},
});

// # a type that is a constructor
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      // @ts-expect-error -- type: the type of a prop is text
      type: String,
    },
  },
  run() {},
});

// # a type in capitals
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: {
      // @ts-expect-error -- type: no prop type is called String
      type: "String",
    },
  },
  run() {},
});

// # props as a list
defineComponent({
  name: "case",
  version: "0.0.1",
  // @ts-expect-error -- props: props is an object: a prop for each name
  props: [{ type: "string" }],
  run() {},
});

// # a prop that is null
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    // @ts-expect-error -- text: a prop is an object or the short form of a service
    text: null,
  },
  run() {},
});

// # a prop with the name of a member of the runtime
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    // @ts-expect-error -- $emit: a prop has no name that begins with $
    $emit: { type: "string" },
  },
  run() {},
});

// # a prop with a name that the runtime keeps for itself, beside others
defineComponent({
  name: "case",
  version: "0.0.1",
  props: {
    text: { type: "string" },
    // @ts-expect-error -- $auth: a prop has no name that begins with $, such as $auth
    $auth: { type: "object" },
    timer: "$.interface.timer",
  },
  run() {
    this.text.trim();
  },
});
