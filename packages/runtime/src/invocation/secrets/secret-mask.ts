import {
  atOnce,
  createBudget,
  isParsable,
  type Budget,
  type Component,
  type Json,
  type Source,
  type Steps,
} from "@x/model";
import { verifySecrets } from "@x/components";
import { findEncoded, formsOf, mayBeFound } from "./encoded-secrets.ts";
import { createFinder, type Finder, minLength } from "./secret-finder.ts";

const hidden = "***";
/** Most characters of one text, or of all texts of a value, that are searched for base64 and hex. */
const maxDecoded = 1024 * 1024;
/** Characters that are searched in one text or value, in all its forms; beyond, a text is hidden as a whole. */
const maxSearched = 10 * 1024 * 1024;

/** Replaces secrets by `***` in a text. */
export interface TextMask {
  text(text: string): string;
}

/** Replaces secrets by `***` in data that leaves the runtime. */
export interface SecretMask extends TextMask {
  /** Masks the strings, keys and numbers inside a value. */
  value(value: Json): Json;
  /** Masks JSON text of any length. Without a secret in it, it is not parsed; what takes too long is hidden as a whole. */
  json(json: string): Steps<string>;
}

type MaskText = (text: string) => Steps<string>;

function* maskValue(given: Json, text: MaskText): Steps<Json> {
  if (typeof given === "string") return yield* text(given);
  if (typeof given === "number") {
    const masked = yield* text(String(given));
    return masked === String(given) ? given : masked;
  }
  if (typeof given !== "object" || given === null) return given;
  if (Array.isArray(given)) {
    const items: Json[] = [];
    for (const item of given) items.push(yield* maskValue(item, text));
    return items;
  }
  const members: [string, Json][] = [];
  for (const [key, item] of Object.entries(given)) members.push([yield* text(key), yield* maskValue(item, text)]);
  return Object.fromEntries(members);
}

/** A mask that applies `text` to texts, and to strings, keys and numbers inside values. */
export function maskWith(text: (text: string) => string): Pick<SecretMask, "text" | "value"> {
  // oxlint-disable-next-line require-yield -- a mask of a whole text is one step
  const inSteps: MaskText = function* (given) {
    return text(given);
  };
  return { text, value: (value) => atOnce(maskValue(value, inSteps)) };
}

/** Every string and number inside values, at any depth, as text. */
function* textsOf(values: Iterable<Json | undefined>): Generator<string> {
  for (const value of values) {
    if (typeof value === "string") yield value;
    else if (typeof value === "number") yield String(value);
    else if (typeof value === "object" && value !== null) yield* textsOf(Object.values(value));
  }
}

/** How one text, or all texts of a value, are masked. */
interface Masking {
  readonly finder: Finder;
  readonly budget: Budget;
  /** Characters that may still be searched for base64 and hex. */
  decodes: number;
  texts: number;
}

/** Masking a value, compared with parsing a member of an object. */
const partsPerValue = 4;
/** Texts between two steps. */
const stepTexts = 1024;
/** Longer texts are searched at once. */
const shortChars = 1024;
/** Preparing the search of a text, in steps of the budget. */
const stepsPerText = 100;

function* hide(text: string, masking: Masking): Steps<string> {
  masking.decodes -= text.length;
  if ((masking.texts += 1) % stepTexts === 0) yield;
  if (text.length < minLength) return text;
  if (text.length <= shortChars && !mayBeFound(masking.finder, text)) return text;
  if (!masking.budget.take(stepsPerText)) return hidden;
  const spans = yield* findEncoded(masking, text, masking.decodes >= 0);
  if (!masking.budget.take(0)) return hidden;
  if (spans.length === 0) return text;
  spans.sort(([a], [b]) => a - b);
  let masked = "";
  let end = 0;
  for (const [from, to] of spans) {
    if (from >= end) masked += text.slice(end, from) + hidden;
    end = Math.max(end, to);
  }
  return masked + text.slice(end);
}

function* hideInJson(json: string, begin: () => Masking): Steps<string> {
  const masked = yield* hide(json, begin());
  if (masked === json) return json;
  if (!isParsable(json, partsPerValue)) return JSON.stringify(hidden);
  yield;
  const value = JSON.parse(json) as Json;
  const masking = begin();
  const shown = yield* maskValue(value, (text) => hide(text, masking));
  yield;
  return JSON.stringify(shown);
}

/** The values of a source's secret props, and the secrets that verify its requests. */
const secretProps = ({ shape }: Component, { configuredProps }: Source): (Json | undefined)[] =>
  shape.props.flatMap(({ name, type, secret }): (Json | undefined)[] => {
    if (secret === true) return [configuredProps[name]];
    return type === "$.interface.http" ? [...verifySecrets(configuredProps[name])] : [];
  });

/** Masks secret props and account credentials of at least six characters. */
export function secretMask(component: Component, source: Source, auth: { readonly [prop: string]: Json }): SecretMask {
  let finder: Finder | undefined;
  const prepare = (): Finder => {
    const forms = new Set<string>();
    for (const secret of textsOf([...Object.values(auth), ...secretProps(component, source)]))
      if (secret.length >= minLength) for (const form of formsOf(secret)) forms.add(form);
    return createFinder(forms);
  };
  const isEmpty = (): boolean => (finder ??= prepare()).isEmpty;
  const begin = (): Masking => ({
    finder: (finder ??= prepare()),
    budget: createBudget(maxSearched),
    decodes: maxDecoded,
    texts: 0,
  });
  return {
    text: (text) => (isEmpty() ? text : atOnce(hide(text, begin()))),
    value(value) {
      const masking = begin();
      return masking.finder.isEmpty ? value : atOnce(maskValue(value, (text) => hide(text, masking)));
    },
    *json(json) {
      return isEmpty() ? json : yield* hideInJson(json, begin);
    },
  };
}

/** Caches the mask of each source until its component or its credentials change. */
export interface SecretMasks {
  of(component: Component, source: Source, auth: { readonly [prop: string]: Json }): SecretMask;
}

/** Creates the cache: preparing a mask for many secrets is slow. */
export function createSecretMasks(): SecretMasks {
  interface CachedMask {
    readonly component: Component;
    readonly auth: { readonly [prop: string]: Json };
    readonly mask: SecretMask;
  }
  const cache = new WeakMap<Source, CachedMask>();
  const isSame = (a: { readonly [prop: string]: Json }, b: { readonly [prop: string]: Json }): boolean =>
    Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([prop, value]) => b[prop] === value);
  return {
    of(component, source, auth) {
      const known = cache.get(source);
      if (known?.component === component && isSame(known.auth, auth)) return known.mask;
      const mask = secretMask(component, source, auth);
      cache.set(source, { component, auth, mask });
      return mask;
    },
  };
}
