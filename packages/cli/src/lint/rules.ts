import type { Component, ComponentShape, ComponentTexts, Json, PropShape } from "@x/runtime";

import type { FoundInBundle } from "./finding.ts";

/** What a rule sees: nothing that needs a run. */
export type Linted = Pick<Component, "shape"> & Pick<ComponentTexts, "bundle">;

type Rule = (linted: Linted) => FoundInBundle[];

const fastestSeconds = 15;

/** Props with a value that somebody configures. */
const isValue = ({ type }: PropShape): boolean => !type.startsWith("$.") && type !== "app" && type !== "alert";

const quoted = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Where a prop is declared: the only place of the bundle that can be it, else undefined. */
function declaredAt(bundle: string, prop: string): number | undefined {
  const name = quoted(prop);
  const [first, second] = bundle.matchAll(new RegExp(String.raw`(?<![\w$.])(?:"${name}"|${name})\s*:`, "g"));
  return second ? undefined : first?.index;
}

function ofProp({ bundle }: Linted, { name }: PropShape): Pick<FoundInBundle, "prop" | "at"> {
  const at = declaredAt(bundle, name);
  return { prop: name, ...(at !== undefined && { at }) };
}

const describesItself: Rule = ({ shape }) =>
  (
    [
      ["key", 'Add one, such as key: "acme-new-order": it is published and deployed by it.'],
      ["description", "Say in a sentence or two what it emits and when; lists show it."],
    ] as const
  )
    .filter(([field]) => shape[field] === undefined)
    .map(([field, fix]) => ({
      rule: `missing-${field}`,
      severity: "info",
      message: `The component has no ${field}.`,
      fix,
    }));

const defaultOnRequired: Rule = (linted) =>
  linted.shape.props
    .filter((prop) => isValue(prop) && prop.default !== undefined && prop.optional !== true)
    .map((prop) => ({
      rule: "default-on-required",
      severity: "warning",
      message: `Prop "${prop.name}" is required and has a default.`,
      fix: "Add optional: true. The default is used here either way; the component format has it for optional props only.",
      ...ofProp(linted, prop),
    }));

const secretName =
  /(?:^|[a-z\d_])(?:password|passwd|passphrase|secret|credentials?|api_?key|(?:private|access|secret|signing|encryption)_?key)$|(?<!(?:page|next|sync|cursor|continuation|previous|prev|start)_?)token$/i;

/** Whether a prop's name says that its value is secret: `apiKey` and `access_token` do, `pageToken` does not. */
export const soundsSecret = (name: string): boolean => secretName.test(name);

const secretNotMarked: Rule = (linted) =>
  linted.shape.props
    .filter(({ name, type, secret }) => type === "string" && secret !== true && soundsSecret(name))
    .map((prop) => ({
      rule: "secret-not-marked",
      severity: "warning",
      message: `Prop "${prop.name}" looks like a secret and is not marked as one.`,
      fix: "Add secret: true: then it is encrypted at rest, masked in logs and never shown.",
      ...ofProp(linted, prop),
    }));

/** The shortest time between two ticks, when it is written plainly; undefined when it is not. */
export function shortestSeconds(timer: Json | undefined): number | undefined {
  if (typeof timer !== "object" || timer === null || Array.isArray(timer)) return undefined;
  const { intervalSeconds, interval_seconds: snake, cron } = timer;
  if (typeof cron === "string") {
    const [seconds = "", ...fields] = cron.trim().split(/\s+/);
    // Five fields have no seconds.
    if (fields.length !== 5) return undefined;
    const [, every = "1"] = /^\*(?:\/(\d+))?$/.exec(seconds) ?? [undefined, "60"];
    return Number(every);
  }
  const interval = intervalSeconds ?? snake;
  return typeof interval === "number" ? interval : undefined;
}

const fastTimer: Rule = (linted) =>
  linted.shape.props.flatMap((prop) => {
    const seconds = prop.type === "$.interface.timer" ? shortestSeconds(prop.static ?? prop.default) : undefined;
    if (seconds === undefined || seconds >= fastestSeconds) return [];
    return [
      {
        rule: "fast-timer",
        severity: "warning",
        message: `Timer "${prop.name}" runs every ${seconds} s.`,
        fix: `Most apps limit how often they are asked; ${fastestSeconds} s and more is safe. For more speed take events by HTTP.`,
        ...ofProp(linted, prop),
      },
    ];
  });

const optionWithoutLabel: Rule = (linted) =>
  linted.shape.props.flatMap((prop) => {
    const bare = (prop.options ?? []).findIndex(
      (option) => typeof option === "object" && option !== null && !Array.isArray(option) && !option["label"],
    );
    if (bare === -1) return [];
    return [
      {
        rule: "option-without-label",
        severity: "info",
        message: `Option ${bare} of prop "${prop.name}" has no label.`,
        fix: 'Give every option a label, as {label: "New orders", value: "orders"}, or write plain values.',
        ...ofProp(linted, prop),
      },
    ];
  });

/** A call with nothing beside the event; only what is certain to be one. */
const emitAlone = /\bthis\.\$emit\(\s*(?:[A-Za-z_$][\w$]*(?:\.[\w$]+)*|"(?:[^"\\\n]|\\.)*"|\d+)?\s*\)/g;

const emitWithoutId: Rule = ({ shape: { dedupe }, bundle }) =>
  dedupe === undefined
    ? []
    : [...bundle.matchAll(emitAlone)].map(({ index }) => ({
        rule: "emit-without-id",
        severity: "error",
        message: `$emit is called without an id, which dedupe "${dedupe}" needs: it will throw.`,
        fix: "Say what makes the event the same: this.$emit(event, { id: event.id }). Or leave dedupe out.",
        at: index,
      }));

/** `this` other than before a member or as the whole of a destructured name list: somebody may read any prop through it. */
const looseThis = /\bthis\b(?!\s*(?:\?\.|\.)\s*[\w$])/;
const destructured = /\{[^{}.[\]]*\}\s*=\s*this\b(?!\s*[.[(])/g;

/** Texts for people, which name props without using them. */
function shownTexts({ description, props }: ComponentShape): string[] {
  const texts = props.flatMap((prop) => [prop.label, prop.description]);
  return [description, ...texts].filter((text): text is string => text !== undefined && /\s/.test(text));
}

/** Props that no code of the component can read: their names stand nowhere but in their own declaration. */
const unusedProp: Rule = (linted) => {
  const { shape, bundle } = linted;
  const members = bundle.replaceAll(destructured, (text) => text.replace(/\bthis$/, "self"));
  if (looseThis.test(members)) return [];
  let code = bundle;
  for (const text of shownTexts(shape)) code = code.replaceAll(JSON.stringify(text), '""');
  return shape.props
    .filter(({ type }) => !type.startsWith("$.interface.") && type !== "alert")
    .filter(({ name }) => code.match(new RegExp(String.raw`(?<![\w$])${quoted(name)}(?![\w$])`, "g"))?.length === 1)
    .filter(({ name }) => declaredAt(code, name) !== undefined)
    .map((prop) => ({
      rule: "unused-prop",
      severity: "warning",
      message: `Prop "${prop.name}" is declared and never used.`,
      fix: `Use it as this.${prop.name}, or remove it: whoever deploys the component is asked for it.`,
      ...ofProp(linted, prop),
    }));
};

const rules: readonly Rule[] = [
  emitWithoutId,
  defaultOnRequired,
  secretNotMarked,
  fastTimer,
  unusedProp,
  optionWithoutLabel,
  describesItself,
];

/** Everything that the rules find, the worst first. */
export const lintComponent = (linted: Linted): FoundInBundle[] => rules.flatMap((rule) => rule(linted));
