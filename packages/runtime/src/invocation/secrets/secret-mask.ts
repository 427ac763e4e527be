import type { Component, Json, Source } from "../../model/model.ts";
import { findEncoded, formsOf } from "./encoded-secrets.ts";
import { createFinder, type Finder, leastLength } from "./secret-finder.ts";

const hidden = "***";
/** Most characters of one text, or of all texts of a value, that are searched for base64 and hex. */
const mostDecoded = 1024 * 1024;

/** Replaces secrets by `***` in data that leaves the runtime. */
export interface SecretMask {
  text(text: string): string;
  /** Masks the strings, keys and numbers inside a value. */
  value(value: Json): Json;
}

/** A mask that applies `text` to texts, and to strings, keys and numbers inside values. */
export function maskWith(text: (text: string) => string): SecretMask {
  const value = (given: Json): Json => {
    if (typeof given === "string") return text(given);
    if (typeof given === "number") return text(String(given)) === String(given) ? given : text(String(given));
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, item]) => [text(key), value(item)]));
  };
  return { text, value };
}

/** Every string and number inside values, at any depth, as text. */
function* textsOf(values: Iterable<Json | undefined>): Generator<string> {
  for (const value of values) {
    if (typeof value === "string") yield value;
    else if (typeof value === "number") yield String(value);
    else if (typeof value === "object" && value !== null) yield* textsOf(Object.values(value));
  }
}

function hide(text: string, finder: Finder, decodes: boolean): string {
  const spans = findEncoded(finder, text, decodes).sort(([a], [b]) => a - b);
  if (spans.length === 0) return text;
  let masked = "";
  let end = 0;
  for (const [from, to] of spans) {
    if (from >= end) masked += text.slice(end, from) + hidden;
    end = Math.max(end, to);
  }
  return masked + text.slice(end);
}

/** The values of a source's secret props. */
const secretProps = ({ shape }: Component, { configuredProps }: Source): (Json | undefined)[] =>
  shape.props.flatMap((prop) => (prop.secret === true ? [configuredProps[prop.name]] : []));

/** Masks secret props and account credentials of at least six characters. */
export function secretMask(component: Component, source: Source, auth: { readonly [prop: string]: Json }): SecretMask {
  let finder: Finder | undefined;
  const prepare = (): Finder => {
    const secrets = new Set(textsOf([...Object.values(auth), ...secretProps(component, source)]));
    return createFinder([...secrets].filter(({ length }) => length >= leastLength).flatMap(formsOf));
  };
  const mask = (): SecretMask => {
    let left = mostDecoded;
    return maskWith((text) => {
      left -= text.length;
      return text.length < leastLength ? text : hide(text, (finder ??= prepare()), left >= 0);
    });
  };
  const hides = (): boolean => !(finder ??= prepare()).isEmpty;
  return {
    text: (text) => (hides() ? mask().text(text) : text),
    value: (value) => (hides() ? mask().value(value) : value),
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
