/* oxlint-disable -- programs as authors write them, each with one mistake */
import { defineAction, defineApp, defineComponent } from "@x/types";

// # a prop that was not declared
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" } },
  run() {
    // @ts-expect-error -- txt: Property 'txt' does not exist
    return this.txt;
  },
});

// # a prop that was not declared, in a hook
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" } },
  hooks: {
    async activate() {
      // @ts-expect-error -- db: Property 'db' does not exist
      this.db.set("a", 1);
    },
  },
  run() {},
});

// # a number used as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { count: { type: "integer" } },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
    return this.count.trim();
  },
});

// # a list used as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { words: { type: "string[]" } },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'string[]'
    return this.words.trim();
  },
});

// # an optional value used unchecked
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { maybe: { type: "string", optional: true } },
  run() {
    // @ts-expect-error -- this.maybe: possibly 'undefined'
    return this.maybe.length;
  },
});

// # a choice that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { colour: { type: "string", options: ["red", "blue"] } },
  run() {
    // @ts-expect-error -- this.colour === "green": no overlap
    return this.colour === "green";
  },
});

// # a labelled choice that does not exist
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { size: { type: "integer", options: [{ label: "small", value: 1 }] } },
  run() {
    // @ts-expect-error -- this.size === 2: no overlap
    return this.size === 2;
  },
});

// # a labelled value used as text
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { board: { type: "string", withLabel: true } },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist
    return this.board.trim();
  },
});

// # assignment to a prop
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" } },
  run() {
    // @ts-expect-error -- text: read-only property
    this.text = "other";
  },
});

// # a prop that was not declared, in methods whose results are inferred: one error
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { text: { type: "string" } },
  methods: {
    size() {
      // @ts-expect-error -- txt: Property 'txt' does not exist on type 'ComponentThis<"`this` has the props and the methods of the component
      return this.txt.length;
    },
    twice() {
      return this.size() + this.size();
    },
  },
  run() {
    return this.twice();
  },
});

// # the same in an app
defineApp({
  type: "app",
  app: "acme",
  propDefinitions: { team: { type: "string" } },
  methods: {
    path() {
      // @ts-expect-error -- team: Property 'team' does not exist on type 'MethodsThis<"`this` has the methods of the app
      return this.team;
    },
    url() {
      return `https://acme.test/${this.path()}`;
    },
  },
});

// # the same in an action
defineAction({
  type: "action",
  name: "case",
  props: { text: { type: "string" } },
  methods: {
    size() {
      // @ts-expect-error -- txt: Property 'txt' does not exist on type 'MethodsThis<"`this` has the props and the methods of the action
      return this.txt.length;
    },
    twice() {
      return this.size() + this.size();
    },
  },
  run() {
    return this.twice();
  },
});

// # a declared prop used as another type beside additional props
defineComponent({
  name: "case",
  version: "0.0.1",
  props: { count: { type: "integer", reloadProps: true } },
  async additionalProps() {
    return { [`answer${this.count}`]: { type: "string" } };
  },
  run() {
    // @ts-expect-error -- trim: Property 'trim' does not exist on type 'number'
    return this.count.trim();
  },
});
