import type { Json } from "../model/model.ts";
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

function* secretsIn(value: Json, isSecret: (name: string) => boolean): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item === "string" && isSecret(name)) yield withoutScheme(item);
    else yield* secretsIn(item, isSecret);
  }
}

function* secretsInText(text: string | undefined): Generator<string> {
  if (text === undefined) return;
  try {
    yield* secretsIn(JSON.parse(text) as Json, isSecretField);
  } catch {
    if (/^[\w.~%+-]+=\S*$/.test(text)) yield* secretsIn(Object.fromEntries(new URLSearchParams(text)), isSecretPart);
  }
}

function* secretsInUrl(text: string): Generator<string> {
  const url = URL.parse(text);
  if (!url) return;
  yield* secretsIn(Object.fromEntries(url.searchParams), isSecretPart);
  if (url.password !== "") yield decodeURIComponent(url.password);
}

const member = (event: Json, name: string): Json => {
  if (typeof event !== "object" || event === null || Array.isArray(event)) return null;
  return event[name] ?? null;
};

const secretProps = ({ configuredProps, props }: TestSubject): string[] =>
  props.flatMap(({ name, secret }) => {
    const value = secret === true ? configuredProps[name] : undefined;
    return typeof value === "string" ? value : [];
  });

function* allSecrets(run: TestRun, subject: TestSubject): Generator<string> {
  const { event } = run;
  for (const part of ["headers", "query"]) yield* secretsIn(member(event, part), isSecretPart);
  yield* secretsIn(event, isSecretField);
  yield* secretProps(subject);
  yield* secretsIn(subject.configuredProps, isSecretField);
  yield* secretsIn({ ...subject.dbBefore }, isSecretField);
  for (const { key, after = null } of run.db) yield* secretsIn({ [key]: after }, isSecretField);
  for (const call of run.calls) {
    yield* secretsInUrl(call.url);
    yield* secretsIn(call.requestHeaders, isSecretPart);
    yield* secretsIn(call.responseHeaders, isSecretPart);
    yield* secretsInText(call.requestBody);
    if (call.isBase64 !== true) yield* secretsInText(call.responseBody);
  }
}

/** Finds the secrets of a run by the names that they have in headers, parameters, fields and props. */
export function findStandIns(run: TestRun, subject: TestSubject): StandIns {
  const found = new Set(
    [...allSecrets(run, subject)].filter((text) => text.length >= shortest && !text.includes(masked)),
  );
  const ofProps = new Set(secretProps(subject));
  const named = [...found].map((secret, index): [string, string] => [
    secret,
    ofProps.has(secret) ? masked : `secret-${index + 1}`,
  ]);
  const keys = subject.endpointKeys.map((key, index): [string, string] => [key, `endpoint-${index + 1}`]);
  // Longest first: a secret may contain another.
  const pairs = [...named, ...keys].toSorted(([a], [b]) => b.length - a.length);
  const forms = pairs.flatMap(([secret, standIn]) =>
    [...new Set([secret, encodeURIComponent(secret)])].map((form) => [form, standIn] as const),
  );
  const text = (given: string): string =>
    forms.reduce((rest, [form, standIn]) => rest.replaceAll(form, standIn), given);
  const value = (given: Json): Json => {
    if (typeof given === "string") return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([name, item]) => [text(name), value(item)]));
  };
  const marks = [masked, ...pairs.map(([, standIn]) => standIn)];
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
    hides: (given) => marks.some((mark) => given.includes(mark)),
  };
}
