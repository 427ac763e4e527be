import type { Explanation } from "./named-errors.ts";

/** Rules of `x lint`, and of the warnings of a deploy. */
export const lintRules: { readonly [rule: string]: Explanation } = {
  "missing-account": {
    meaning: "A prop of type app has no account in a test: its $auth is empty.",
    cause: "The test has no credentials for the app. A deploy rejects such a prop (invalid_props).",
    fix: 'Add them: source(component, { accounts: { "acme": { token: "t" } } }).',
  },
  "import-meta": {
    meaning: "The code reads import.meta.url, dirname, filename, resolve or env: they are undefined.",
    cause: "A component runs as one module in a sandbox, without its files and without an environment.",
    fix: 'Import JSON and code by their path, as in import data from "./data.json"; declare a prop for what users configure.',
  },
  "tsconfig-not-read": {
    meaning: "The tsconfig.json of the component extends a file that is not read.",
    cause: "It is outside the root folder of the component, or it is not there. The options in it do not apply.",
    fix: "Give the folder that has both with --root DIR (option root), or repeat the options in the nearer file.",
  },
  "unknown-member": {
    meaning: "The component has an unknown member whose name is similar to a known one.",
    cause: "A typo, such as hook for hooks.",
    fix: "Use the name in the message. Names of members are case-sensitive.",
  },
  "outside-of-methods": {
    meaning: "A function is a member of the component, where this does not have it.",
    cause: "this has the props and the members of methods.",
    fix: "Move it into methods: { … }, or make it a function of the module.",
  },
  "ticks-emitted": {
    meaning: "A component with a timer and without run emits the event of each tick.",
    cause: "Sources whose timer is the event, such as a schedule, are written so.",
    fix: "Nothing, if this is meant; else write run(event) { … }.",
  },
  "prop-left-out": {
    meaning:
      "An optional prop has a type that this runtime does not have, so it is left out, and this.NAME is undefined.",
    cause: "The type needs a service of the hosted runtime. A required prop of such a type refuses the component.",
    fix: "Nothing, if the component works without it; else write the alternative in the message.",
  },
  "dir-not-synced": {
    meaning: "A prop of type dir has sync, which has no effect.",
    cause: "this.NAME is { path }, a folder of the run's own /tmp, which ends with the run.",
    fix: "Send the files that should remain to where they belong.",
  },
  "outside-of-hooks": {
    meaning: "deploy, activate or deactivate is a member of the component, where it is never called.",
    cause: "Hooks are members of hooks.",
    fix: "Write hooks: { async activate() { … } }.",
  },
  "unknown-hook": {
    meaning: "hooks has a function that is never called.",
    cause: "The hooks are deploy, activate and deactivate; there is no onDeploy, init or destroy.",
    fix: "Rename it to the intended hook, or move it into methods.",
  },
  "every-app-event": {
    meaning: "An apphook prop names no events, so the source gets every event of its account.",
    cause: "eventNames is missing or empty.",
    fix: "Name the events in eventNames, or write static: [] where every event is meant.",
  },
  "emits-invalid": {
    meaning: "The JSON Schema in emits is not valid, so nothing is known of the events.",
    cause: "A keyword has a wrong value, a reference leads to no schema, or the schema is too large or too deep.",
    fix: "Correct it at the path that is named. The keywords are those of JSON Schema, draft 7.",
  },
  "emits-no-schema": {
    meaning: "emits is a value that is no JSON Schema, so it says nothing of the events.",
    cause: "A schema has a type of JSON Schema, or $ref, $schema, enum, anyOf, oneOf or allOf.",
    fix: "Write a schema, or {} as Event for the type in TypeScript alone.",
  },
  "undeclared-member": {
    meaning: "run, a hook or a method reads an unknown member of this: it is undefined.",
    cause: "A typo, or a missing prop or method. this has only the props, the methods and $emit.",
    fix: "Use the name in the message, declare the prop or method, or set the member before it is read.",
  },
  "method-hidden": {
    meaning: "A method and a prop have the same name: this has the prop, so the method cannot be called.",
    cause: "Props and methods are members of the same this.",
    fix: "Rename one of them.",
  },
  "unknown-prop-field": {
    meaning: "A prop has an unknown field.",
    cause: "A typo, such as defualt or requierd, or a schedule beside default instead of in it.",
    fix: "Use the name in the message. Props are required unless optional: true.",
  },
  "unknown-timer-field": {
    meaning: "The schedule of a timer has an unknown field.",
    cause: "interval for intervalSeconds, tz for timezone. Without a schedule a timer runs every hour.",
    fix: 'Write { intervalSeconds: 60 }, or { cron: "0 9 * * 1-5", timezone: "Europe/Berlin" }.',
  },
  "stored-value-kept": {
    meaning: "A new version of the component has another default for a prop, and the source keeps its stored value.",
    cause: "A source keeps what is stored, also the schedule of a timer that was a default when it was deployed.",
    fix: "Set the prop to null to take the default: x sources props SOURCE NAME=null. To keep the value, do nothing.",
  },
  "cron-day-and-weekday": {
    meaning: "The schedule of a timer restricts the day of the month and the day of the week: a day must match both.",
    cause: 'Some programs take them as alternatives: there, "0 9 13 * 5" is every 13th and every Friday.',
    fix: "Leave one of them *. For days that match either, deploy two sources. The message has the next ticks.",
  },
  "function-as-value": {
    meaning: "A field of a prop is a function, which is never called: the field has no effect.",
    cause: "Only options may be a function.",
    fix: "Use a value. Compute it in run or in additionalProps if necessary.",
  },
  "field-without-effect": {
    meaning: "A prop has a field without effect on its type.",
    cause: "min and max are for integers, secret for strings, customResponse for $.interface.http.",
    fix: "Change the type, or remove the field.",
  },
  "default-of-other-type": {
    meaning: "The default of a prop is not of the prop's type; the component gets it unchanged.",
    cause: 'Extra quotes, as in default: "10" of an integer, or a single value for a list.',
    fix: "Write the default as a value of the type.",
  },
  "emit-without-id": {
    meaning: "$emit is called without an id, but the component declares dedupe: the call will throw.",
    cause: "Dedupe compares ids to know whether an event was emitted before.",
    fix: "Call this.$emit(event, { id: event.id }), or remove dedupe.",
  },
  "arrow-function": {
    meaning: "run, a hook, a method or options is an arrow function and uses this.",
    cause: "An arrow function has the this of the code around it, which is undefined in a module.",
    fix: "Write it as a method: run(event) { … }, async options() { … }.",
  },
  "process-env": {
    meaning: "The code reads a variable of the environment, which is undefined.",
    cause: "Components have no environment: process.env is empty.",
    fix: "Declare a prop, with secret: true for a secret, and read this.<prop>.",
  },
  "respond-ignored": {
    meaning: "respond of an HTTP prop is called, and the prop has no customResponse: true: the call has no effect.",
    cause: "Without customResponse a request is answered before run begins.",
    fix: 'Declare http: { type: "$.interface.http", customResponse: true }.',
  },
  "lost-in-json": {
    meaning: "An event or a value of the db has data of which JSON keeps nothing, such as a Map, a Set or a promise.",
    cause: "Events and values are stored as JSON, where such an object is {}.",
    fix: "Give plain data: Object.fromEntries(map), [...set], await promise.",
  },
  "default-on-required": {
    meaning: "A prop has a default and is not optional.",
    cause: "The component format has defaults for optional props only; here it is used either way.",
    fix: "Add optional: true.",
  },
  "secret-not-marked": {
    meaning: "The name of a prop suggests a secret, but its value is stored and shown as plain text.",
    cause: "Only props with secret: true are treated as secrets.",
    fix: "Add secret: true: it is then encrypted at rest, masked in logs and never shown.",
  },
  "fast-timer": {
    meaning: "A timer polls more often than most APIs allow.",
    cause: "An interval of less than 15 seconds.",
    fix: "Poll less often, or receive events over HTTP.",
  },
  "unused-prop": {
    meaning: "A prop is declared, and no code of the component reads it.",
    cause: "A typo where it is read, or a leftover.",
    fix: "Use it as this.<name>, or remove it: users of the component have to configure it.",
  },
  "option-without-label": {
    meaning: "An option is an object without a label: lists show its value.",
    cause: "{ value } instead of { label, value }.",
    fix: 'Write { label: "New orders", value: "orders" }, or plain values.',
  },
  "missing-key": {
    meaning: "The component has no key.",
    cause: "A key is required to publish a component and to find it in a registry.",
    fix: 'Add one, such as key: "acme-new-order".',
  },
  "missing-description": {
    meaning: "The component has no description.",
    cause: "Lists show it.",
    fix: "Describe in a sentence or two what it emits and when.",
  },
};
