import { codesOf, createFinder } from "../invocation/secrets/secret-finder.ts";
import type { Json } from "@x/model";
import type { TestRun, TestSubject } from "./test-run.ts";

/** What the runtime writes in the place of a secret, and the value of secrets in a test. */
export const masked = "***";

const secretName =
  /^(?:(?:proxy-)?authorization|cookie|set-cookie|.*(?:token|secret|password|passwd|api[-_]?key|signature|session)|sig|x-auth.*)$/i;
/** They lead to the next page, and protect nothing. */
const pageName = /page|next|cursor|continu|sync|delta/i;
/** Further names of parameters and headers. */
const briefName = /^(?:key|auth|code|hmac)$/i;
const shortest = 6;
/** Further secrets are masked. */
const maxStandIns = 200;

const isSecretField = (name: string): boolean => secretName.test(name) && !pageName.test(name);
const isSecretPart = (name: string): boolean => isSecretField(name) || briefName.test(name);

/** Replaces secrets by stand-ins, the same secret by the same one wherever it stands. */
export interface StandIns {
  /** False: there is nothing to replace. */
  readonly isNeeded: boolean;
  text(text: string): string;
  value(value: Json): Json;
  headers(headers: { readonly [name: string]: string }): { readonly [name: string]: string };
  /** True for text with a masked secret or a stand-in. */
  hides(text: string): boolean;
}

/** `Bearer abc` is the scheme and the secret. */
const withoutScheme = (value: string): string => /^[A-Za-z]+ +(\S.*)$/.exec(value)?.[1] ?? value;

type Add = (secret: string) => void;

function secretsIn(value: Json, isSecret: (name: string) => boolean, add: Add): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) secretsIn(item, isSecret, add);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === "string" && isSecret(name)) add(withoutScheme(item));
    else secretsIn(item, isSecret, add);
  }
}

function secretsInText(text: string | undefined, add: Add): void {
  if (text === undefined) return;
  try {
    secretsIn(JSON.parse(text) as Json, isSecretField, add);
  } catch {
    if (/^[\w.~%+-]+=\S*$/.test(text)) secretsIn(Object.fromEntries(new URLSearchParams(text)), isSecretPart, add);
  }
}

/** A part of a URL without escapes; as it is where they are malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function secretsInUrl(text: string, add: Add): void {
  const url = URL.parse(text);
  if (!url) return;
  secretsIn(Object.fromEntries(url.searchParams), isSecretPart, add);
  if (url.password !== "") add(decoded(url.password));
}

const member = (event: Json, name: string): Json => {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return null;
  return event[name] ?? null;
};

/** The configured props that are not secret; of the others there are references. */
function openProps({ configuredProps, props }: TestSubject): { [prop: string]: Json } {
  const secret = new Set(props.flatMap((prop) => (prop.secret === true ? prop.name : [])));
  return Object.fromEntries(Object.entries(configuredProps).filter(([name]) => !secret.has(name)));
}

function allSecrets(run: TestRun, subject: TestSubject): Set<string> {
  const found = new Set<string>();
  const add = (secret: string): void => {
    if (secret.length >= shortest && !secret.includes(masked)) found.add(secret);
  };
  const { event } = run;
  for (const part of ["headers", "query"]) secretsIn(member(event, part), isSecretPart, add);
  secretsIn(event, isSecretField, add);
  for (const secret of subject.secrets) add(secret);
  secretsIn(openProps(subject), isSecretField, add);
  secretsIn({ ...subject.dbBefore }, isSecretField, add);
  secretsIn({ ...subject.dataStoresBefore }, isSecretField, add);
  for (const { key, after = null } of [...run.db, ...run.dataStores]) secretsIn({ [key]: after }, isSecretField, add);
  for (const call of run.calls) {
    secretsInUrl(call.url, add);
    secretsIn(call.requestHeaders, isSecretPart, add);
    secretsIn(call.responseHeaders, isSecretPart, add);
    secretsInText(call.requestBody, add);
    if (call.isBase64 !== true) secretsInText(call.responseBody, add);
  }
  return found;
}

/** Replaces all texts in one pass; what is found in part only is masked. */
function replacer(standIns: ReadonlyMap<string, string>): (text: string) => string {
  const finder = createFinder(standIns.keys());
  return (text) => {
    if (!finder.mayFind(text)) return text;
    let replaced = "";
    let end = 0;
    for (const [from, to] of finder.find(codesOf(text))) {
      if (from >= end) replaced += text.slice(end, from) + (standIns.get(text.slice(from, to)) ?? masked);
      end = Math.max(end, to);
    }
    return replaced + text.slice(end);
  };
}

const marks = new RegExp(`\\*{${masked.length}}|(?:secret|endpoint)-\\d`);

/** Finds the secrets of a run by the names that they have in headers, parameters, fields and props. */
export function findStandIns(run: TestRun, subject: TestSubject): StandIns {
  const ofProps = new Set(subject.secrets);
  const named = [...allSecrets(run, subject)].map((secret, index): [string, string] => [
    secret,
    ofProps.has(secret) || index >= maxStandIns ? masked : `secret-${index + 1}`,
  ]);
  const keys = subject.endpointKeys.map((key, index): [string, string] => [key, `endpoint-${index + 1}`]);
  const pairs = [...named, ...keys];
  const encoded = pairs.map(([secret, standIn]): [string, string] => [
    encodeURIComponent(secret.toWellFormed()),
    standIn,
  ]);
  const text = replacer(new Map([...encoded, ...pairs]));
  const value = (given: Json): Json => {
    if (typeof given === "string") return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, item]) => [text(name), value(item)]));
  };
  return {
    isNeeded: named.length > 0,
    text,
    value,
    headers: (given) =>
      Object.fromEntries(
        Object.entries(given).map(([name, item]) => [
          name,
          isSecretPart(name) && withoutScheme(item).length < shortest ? masked : text(item),
        ]),
      ),
    hides: (given) => marks.test(given),
  };
}
