import type { Explanation } from "./named-errors.ts";

/** Rules of `x lint`, and of the warnings that a deploy logs. */
export const lintRules: { readonly [rule: string]: Explanation } = {
  "missing-account": {
    meaning: "A prop of type app has no account in a test, so that its $auth is empty.",
    cause:
      "The test gives no credentials for the app. Where a source is deployed, such a prop is refused (invalid_props).",
    fix: 'Give them: source(component, { accounts: { "acme": { token: "t" } } }).',
  },
  "unknown-member": {
    meaning: "The component has a member that nothing reads, and whose name is nearly one that is read.",
    cause: "A typing error, such as hook for hooks.",
    fix: "Write the name that the message gives. Names of members are exact, upper and lower case included.",
  },
  "outside-of-methods": {
    meaning: "A function stands beside run, where neither run nor anything else can call it by this.",
    cause: "this has what stands in methods, and the props.",
    fix: "Move it into methods: { … }, or out of the object, as a function of the file.",
  },
  "outside-of-hooks": {
    meaning: "deploy, activate or deactivate stands beside run, where it is never called.",
    cause: "Hooks are members of hooks.",
    fix: "Write hooks: { async activate() { … } }.",
  },
  "unknown-hook": {
    meaning: "hooks has a function that is never called.",
    cause: "The hooks are deploy, activate and deactivate; there is no onDeploy, init or destroy.",
    fix: "Give it the name of the hook that it is meant for, or move it into methods.",
  },
  "undeclared-member": {
    meaning: "run, a hook or a method reads a member that this does not have: it is undefined.",
    cause: "A typing error, or a prop or method that is missing. this has the props, the methods and $emit only.",
    fix: "Write the name that the message gives, declare the prop or method, or set the member before it is read.",
  },
  "method-hidden": {
    meaning: "A method and a prop have one name: this has the prop, so the method cannot be called.",
    cause: "Props and methods are members of the same this.",
    fix: "Rename one of them.",
  },
  "unknown-prop-field": {
    meaning: "A prop has a field that nothing reads.",
    cause: "A typing error, such as defualt or requierd, or a schedule that stands beside default in place of in it.",
    fix: "Write the name that the message gives. Props are required unless optional: true.",
  },
  "unknown-timer-field": {
    meaning: "The schedule of a timer has a field that nothing reads.",
    cause: "interval for intervalSeconds, tz for timezone. Without a schedule a timer runs every hour.",
    fix: 'Write { intervalSeconds: 60 }, or { cron: "0 9 * * 1-5", timezone: "Europe/Berlin" }.',
  },
  "function-as-value": {
    meaning: "A field of a prop is a function, which is not called: the field is as good as absent.",
    cause: "Only options may be a function.",
    fix: "Give a value. What has to be computed is computed in run, or in additionalProps.",
  },
  "field-without-effect": {
    meaning: "A prop has a field that means nothing for its type.",
    cause: "min and max are for integers, secret for strings, customResponse for $.interface.http.",
    fix: "Change the type, or remove the field.",
  },
  "default-of-other-type": {
    meaning: "The default of a prop is not of the prop's type, and the component reads it as it is.",
    cause: 'Quotes too many, as in default: "10" of an integer, or one value for a list.',
    fix: "Write the default as a value of the type.",
  },
  "emit-without-id": {
    meaning: "$emit is called without an id although the component declares dedupe: it will throw.",
    cause: "Dedupe compares ids; without one nobody can tell whether the event was emitted before.",
    fix: "this.$emit(event, { id: event.id }). Or leave dedupe out.",
  },
  "default-on-required": {
    meaning: "A prop has a default and is not optional.",
    cause: "The component format has defaults for optional props only; here it is used either way.",
    fix: "Add optional: true.",
  },
  "secret-not-marked": {
    meaning: "A prop sounds like a secret, and is stored and shown like any text.",
    cause: "Only secret: true makes it one.",
    fix: "Add secret: true: it is then encrypted at rest, masked in logs and never shown.",
  },
  "fast-timer": {
    meaning: "A timer asks more often than most apps allow.",
    cause: "An interval of less than 15 seconds.",
    fix: "Ask less often, or take events by HTTP.",
  },
  "unused-prop": {
    meaning: "A prop is declared, and no code of the component reads it.",
    cause: "A typing error where it is read, or something that is left over.",
    fix: "Use it as this.<name>, or remove it: whoever deploys the component is asked for it.",
  },
  "option-without-label": {
    meaning: "An option is an object without a label, so that lists show its value.",
    cause: "{ value } in place of { label, value }.",
    fix: 'Write { label: "New orders", value: "orders" }, or plain values.',
  },
  "missing-key": {
    meaning: "The component has no key.",
    cause: "Components are published, and found in a registry, by their keys.",
    fix: 'Add one, such as key: "acme-new-order".',
  },
  "missing-description": {
    meaning: "The component has no description.",
    cause: "Lists show it.",
    fix: "Say in a sentence or two what it emits and when.",
  },
};
