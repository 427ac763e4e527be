import { type Mistake, running, runs } from "./mistake.ts";

const withProps = (props: string): string =>
  runs("this.$emit({ feed: this.feed, timer: this.timer });", `props: {\n  ${props},\n},`);

/** Wrong declarations and values of props. */
export const propMistakes: readonly Mistake[] = [
  {
    title: "an unknown type",
    code: withProps('feed: { type: "strng" }'),
    says: ['type "strng" is unknown (did you mean "string"?)'],
  },
  {
    title: "number for integer",
    code: withProps('feed: { type: "float" }'),
    says: ['type "float" is unknown (did you mean number?)'],
  },
  {
    title: "a class as the type",
    code: withProps("feed: { type: String }"),
    says: ['type of prop "feed" must be the name of a type, got a function'],
  },
  { title: "no type", code: withProps('feed: { label: "Feed" }'), says: ['type of prop "feed" is missing'] },
  {
    title: "a list of objects",
    code: withProps('feed: { type: "object[]" }'),
    says: ['type "object[]" is not allowed'],
  },
  { title: "a db by another name", code: withProps('db: "$.service.database"'), says: ['did you mean "$.service.db"'] },
  {
    title: "a timer by another name",
    code: withProps('timer: "$.interface.timmer"'),
    says: ['did you mean "$.interface.timer"'],
  },
  { title: "an app by its slug", code: withProps('acme: "acme"'), says: ['type "acme" is unknown'] },
  {
    title: "defualt for default",
    code: withProps('feed: { type: "string", optional: true, defualt: "a" }'),
    says: ['did you mean "default"'],
  },
  {
    title: "option for options",
    code: withProps('feed: { type: "string", optional: true, option: ["a"] }'),
    says: ['did you mean "options"'],
  },
  {
    title: "required: true",
    code: withProps('feed: { type: "string", required: true, default: "a" }'),
    says: ['required of prop "feed"', "unless optional: true"],
  },
  {
    title: "a default of another type",
    code: withProps('feed: { type: "integer", optional: true, default: "10" }'),
    says: ['default of prop "feed" must be an integer, got "10"'],
  },
  {
    title: "a computed default",
    code: withProps('feed: { type: "string", optional: true, default: () => "a" }'),
    says: ['default of prop "feed" is a function'],
  },
  {
    title: "min of a text",
    code: withProps('feed: { type: "string", optional: true, min: 3 }'),
    says: ['min of prop "feed" has no effect'],
  },
  {
    title: "customResponse as a text",
    code: withProps('feed: { type: "string", optional: true, customResponse: true }'),
    says: ['customResponse of prop "feed" has no effect', "$.interface.http"],
  },
  {
    title: "an interval by another name",
    code: withProps('timer: { type: "$.interface.timer", default: { interval: 60 } }'),
    says: ["did you mean intervalSeconds"],
  },
  {
    title: "an interval as text",
    code: withProps('timer: { type: "$.interface.timer", default: { intervalSeconds: "60" } }'),
    says: ["intervalSeconds as an integer"],
  },
  {
    title: "an interval beside default",
    code: withProps('timer: { type: "$.interface.timer", intervalSeconds: 60 }'),
    says: ["write default: { intervalSeconds: … }"],
  },
  {
    title: "a time zone by another name",
    code: withProps('timer: { type: "$.interface.timer", default: { cron: "0 9 * * *", tz: "UTC" } }'),
    says: ["did you mean timezone"],
  },
  {
    title: "cron in words",
    code: withProps('timer: { type: "$.interface.timer", default: { cron: "every day" } }'),
    says: ['default of timer prop "timer" has a cron expression that cannot be used'],
  },
  {
    title: "an impossible minute",
    code: withProps('timer: { type: "$.interface.timer", default: { cron: "60 * * * *" } }'),
    says: ["cron expression that cannot be used"],
  },
  {
    title: "an unknown time zone",
    code: withProps('timer: { type: "$.interface.timer", default: { cron: "0 9 * * *", timezone: "Berlin" } }'),
    says: ["cannot be used", "Berlin"],
  },
  {
    title: "a definition that the app does not have",
    code: runs(
      "this.$emit(1);",
      'props: { board: { propDefinition: [acme, "bord"] } },',
      'const acme = { type: "app", app: "acme", propDefinitions: { board: { type: "string" } } };\n',
    ),
    says: ['has no prop definition "bord" (did you mean "board"?)'],
  },
  {
    title: "a required prop without a value",
    code: withProps('feed: { type: "string" }'),
    says: ["feed", "is missing"],
    tools: running,
  },
  {
    title: "a value of another type",
    code: withProps('feed: { type: "integer" }'),
    props: { feed: "many" },
    says: ["feed", "must be an integer"],
    tools: running,
  },
  {
    title: "a value for a misspelled prop",
    code: withProps('feed: { type: "string", optional: true }'),
    props: { fed: "a" },
    says: ['"fed"'],
    tools: ["run", "harness"],
  },
];
