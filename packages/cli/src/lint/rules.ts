import type { Component, ComponentShape, ComponentTexts, Json, PropShape } from "@x/runtime";

import type { AnyNode, Program } from "acorn";

import { arrowsWithThis, environmentReads, ignoredAnswers } from "./code-rules.ts";
import { emitsWithoutId, lossyData } from "./emit-rules.ts";
import { type BundleFinding, createOwnership } from "./finding.ts";
import { findDeclarations, findUnused } from "./prop-uses.ts";
import { findBundleTree } from "./tree.ts";

/** The input of a rule. */
interface Linted {
  readonly shape: ComponentShape;
  /** Undefined when the bundle cannot be parsed. */
  readonly tree: Program | undefined;
  /** The declarations of props that are unique. */
  readonly declarations: ReadonlyMap<string, AnyNode>;
  /** True for an offset in code of the author, not of a package. */
  readonly isOwn: (offset: number) => boolean;
}

type Rule = (linted: Linted) => BundleFinding[];

const fastestSeconds = 15;

/** Whether users configure a value of the prop. */
const isValue = ({ type }: PropShape): boolean => !type.startsWith("$.") && type !== "app" && type !== "alert";

function ofProp({ declarations }: Linted, { name }: PropShape): Pick<BundleFinding, "prop" | "offset"> {
  const offset = declarations.get(name)?.start;
  return { prop: name, ...(offset !== undefined && { offset }) };
}

const describesItself: Rule = ({ shape }) =>
  (
    [
      ["key", 'Add one, such as key: "acme-new-order": publishing and deploying use it.'],
      ["description", "Describe in a sentence or two what it emits and when; lists show it."],
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

/** Whether a prop's name suggests a secret: `apiKey` and `access_token` do, `pageToken` does not. */
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

/** The shortest time between two ticks, in seconds; undefined when the schedule does not say it plainly. */
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
        fix: `Most APIs limit requests; ${fastestSeconds} s and more is safe. To get events sooner, receive them over HTTP.`,
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

/** Names of the props for which a test holds. */
const propNames = ({ props }: ComponentShape, holds: (prop: PropShape) => boolean): ReadonlySet<string> =>
  new Set(props.filter(holds).map(({ name }) => name));

const emitWithoutId: Rule = ({ shape: { dedupe }, tree }) =>
  dedupe === undefined || !tree ? [] : emitsWithoutId(tree, dedupe);

const lostInJson: Rule = ({ shape, tree }) =>
  tree
    ? lossyData(
        tree,
        new Map(
          shape.props.flatMap(({ name, type }) =>
            type === "$.service.db" ? [[name, "db"]] : type === "data_store" ? [[name, "data store"]] : [],
          ),
        ),
      )
    : [];

const arrowFunction: Rule = ({ shape, tree }) =>
  tree ? arrowsWithThis(tree, new Set(["$emit", ...propNames(shape, () => true)])) : [];

const processEnv: Rule = ({ tree, isOwn }) => (tree ? environmentReads(tree, isOwn) : []);

const respondIgnored: Rule = ({ shape, tree }) =>
  tree
    ? ignoredAnswers(
        tree,
        propNames(shape, ({ type, customResponse }) => type === "$.interface.http" && customResponse !== true),
      )
    : [];

/** Labels and descriptions, which may name props without using them. */
function shownTexts({ description, props }: ComponentShape): string[] {
  const texts = props.flatMap((prop) => [prop.label, prop.description]);
  return [description, ...texts].filter((text): text is string => text !== undefined && /\s/.test(text));
}

/** Props whose names the code has only in their declaration. */
const unusedProp: Rule = (linted) => {
  const { shape, tree, declarations } = linted;
  if (!tree) return [];
  const named = shape.props.filter(
    ({ name, type }) => !type.startsWith("$.interface.") && type !== "alert" && declarations.has(name),
  );
  const unused = new Set(
    findUnused(
      tree,
      named.map(({ name }) => name),
      new Set(shownTexts(shape)),
    ),
  );
  return named
    .filter(({ name }) => unused.has(name))
    .map((prop) => ({
      rule: "unused-prop",
      severity: "warning",
      message: `Prop "${prop.name}" is declared and never used.`,
      fix: `Use it as this.${prop.name}, or remove it: users of the component have to configure it.`,
      ...ofProp(linted, prop),
    }));
};

const rules: readonly Rule[] = [
  arrowFunction,
  emitWithoutId,
  respondIgnored,
  lostInJson,
  processEnv,
  defaultOnRequired,
  secretNotMarked,
  fastTimer,
  unusedProp,
  optionWithoutLabel,
  describesItself,
];

/** The findings of all rules, the most severe first. */
export function lintComponent({
  shape,
  bundle,
  sourceMap,
}: Pick<Component, "shape"> & Pick<ComponentTexts, "bundle" | "sourceMap">): BundleFinding[] {
  const tree = findBundleTree(bundle);
  const names = shape.props.map(({ name }) => name);
  const declarations = tree ? findDeclarations(tree, names) : new Map<string, AnyNode>();
  return rules.flatMap((rule) => rule({ shape, tree, declarations, isOwn: createOwnership({ bundle, sourceMap }) }));
}
