import { type AccountsByApp, type ComponentReference, type Json, type UpdateInput, XError } from "@x/runtime";

import type { ParameterOf } from "../schema.ts";

type Texts<Name extends string> = Readonly<Record<Name, ParameterOf<"string">>>;
type Objects<Name extends string> = Readonly<Record<Name, ParameterOf<"object">>>;

const cursor: ParameterOf<"string"> = {
  type: "string",
  pattern: "^[0-9A-Za-z_-]*={0,2}$",
  maxLength: 400,
  description: "a cursor from page_info",
};
const componentText: Omit<ParameterOf<"string">, "description"> = { type: "string", minLength: 1 };

/** Common to every paginated list. */
export const pageParameters: Texts<"limit" | "after" | "before"> = {
  limit: {
    type: "string",
    pattern: "^(-?[0-9]+)?$",
    maxLength: 30,
    description: "an integer",
    shownAs: { type: "integer", minimum: 1, maximum: 100, default: 10 },
  },
  after: cursor,
  before: cursor,
};

/** The key of a db or data store. */
export const keyParameter: ParameterOf<"string"> = {
  type: "string",
  minLength: 1,
  maxLength: 512,
  description: "1 to 512 bytes long",
};

/** The id of an event. */
export const eventIdParameter: ParameterOf<"string"> = {
  type: "string",
  pattern: "^[0-9]{1,16}-[0-9]{1,15}$",
  description: "an event id",
};

/** An event id as a cursor; empty counts as absent. */
export const eventCursorParameter: ParameterOf<"string"> = {
  ...eventIdParameter,
  pattern: "^([0-9]{1,16}-[0-9]{1,15})?$",
};

/** Common to lists of events. */
export const eventPageParameters: Texts<"limit" | "after" | "before"> = {
  limit: pageParameters.limit,
  after: eventCursorParameter,
  before: eventCursorParameter,
};

/** Files and accounts that a request can have. */
const maxTexts = 1_000;

/** The component, in the body of POST, PUT and PATCH. */
export const referenceParameters: Texts<Exclude<keyof ReferenceBody, "component_files">> & Objects<"component_files"> =
  {
    component_id: { ...componentText, maxLength: 256, description: "the id of a saved component (sc_…)" },
    key: { ...componentText, maxLength: 256, description: "the key of a saved component, or of one in the registry" },
    component_code: { ...componentText, description: "the code of a component, as text that is not empty" },
    component_files: {
      type: "object",
      description: "the texts of a component's files, by their paths relative to a common folder",
      shownAs: { type: "object", maxProperties: maxTexts, additionalProperties: { type: "string" } },
    },
    component_entry: { ...componentText, maxLength: 512, description: "which of component_files has the component" },
    component_url: { ...componentText, maxLength: 4_000, description: "the URL of a component's code" },
  };

/** Settings of a source, in the body of POST, PUT and PATCH. */
export const settingParameters: Texts<"name" | "dynamic_props_id"> &
  Objects<"configured_props" | "prop_texts" | "accounts"> = {
  name: { type: "string", minLength: 1, maxLength: 256, description: "a name of 1 to 256 characters" },
  configured_props: { type: "object", description: "an object with prop values" },
  prop_texts: {
    type: "object",
    description: "an object with lists of texts by prop, each read by the type of its prop",
    shownAs: {
      type: "object",
      maxProperties: maxTexts,
      additionalProperties: { type: "array", maxItems: maxTexts, items: { type: "string" } },
    },
  },
  accounts: {
    type: "object",
    description: "an object with ids of accounts (apn_…) by app, or by app prop",
    shownAs: { type: "object", maxProperties: maxTexts, additionalProperties: { type: "string" } },
  },
  dynamic_props_id: { type: "string", minLength: 1, maxLength: 256, description: "the id of dynamic props (dyp_…)" },
};

/** A flag in the query. */
export const flagParameter: ParameterOf<"string"> & { readonly enum: readonly ["true", "false"] } = {
  type: "string",
  enum: ["true", "false"],
  description: '"true" or "false"',
  shownAs: { type: "boolean", default: false },
};

/** The fields of a body that name a component. */
export interface ReferenceBody {
  readonly component_id?: string;
  readonly key?: string;
  readonly component_code?: string;
  readonly component_files?: { readonly [name: string]: Json };
  readonly component_entry?: string;
  readonly component_url?: string;
}

/** Throws `invalid_parameter` unless there are few members, all of them texts. */
function readTexts(name: string, given: { readonly [member: string]: Json }): { [member: string]: string } {
  const expected = `an object of at most ${maxTexts} texts`;
  const members = Object.keys(given);
  if (members.length > maxTexts) throw new XError("invalid_parameter", [name, expected, `${members.length} of them`]);
  const other = members.find((member) => typeof given[member] !== "string");
  if (other !== undefined)
    throw new XError("invalid_parameter", [name, expected, `another value at "${other.slice(0, 100)}"`]);
  return given as { [member: string]: string };
}

const isTexts = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.length <= maxTexts && value.every((each) => typeof each === "string");

/** The values of props as texts in a body. Throws `invalid_parameter`. */
export function readPropTexts(given: { readonly [prop: string]: Json } | undefined): Pick<UpdateInput, "propTexts"> {
  if (given === undefined) return {};
  const expected = `an object of at most ${maxTexts} lists of at most ${maxTexts} texts`;
  const names = Object.keys(given);
  const other = names.find((name) => !isTexts(given[name]));
  if (names.length > maxTexts || other !== undefined)
    throw new XError("invalid_parameter", [
      "prop_texts",
      expected,
      other === undefined ? `${names.length} of them` : `another value at "${other.slice(0, 100)}"`,
    ]);
  return { propTexts: given as { [prop: string]: string[] } };
}

/** The accounts in a body. Throws `invalid_parameter`. */
export const readAccounts = (given: { readonly [app: string]: Json } | undefined): { accounts?: AccountsByApp } =>
  given === undefined ? {} : { accounts: readTexts("accounts", given) };

function readFiles({ component_files: files, component_entry: entry }: ReferenceBody): ComponentReference {
  if (files === undefined && entry === undefined) return {};
  if (files !== undefined && entry !== undefined) return { files: readTexts("component_files", files), entry };
  const missing = files === undefined ? "component_files" : "component_entry";
  throw new XError("missing_parameter", [missing, referenceParameters[missing].description]);
}

/** The reference in a body; undefined when there is none. */
export function findReference(body: ReferenceBody): ComponentReference | undefined {
  const { component_id: componentId, key, component_code: code, component_url: url } = body;
  const files = readFiles(body);
  if ([componentId, key, code, files.files, url].every((each) => each === undefined)) return undefined;
  return {
    ...(componentId !== undefined && { componentId }),
    ...(key !== undefined && { key }),
    ...(code !== undefined && { code }),
    ...files,
    ...(url !== undefined && { url }),
  };
}

/** The reference in a body. Throws `missing_parameter`, with the accepted fields, when there is none. */
export function parseReference(body: ReferenceBody, accepted: readonly (keyof ReferenceBody)[]): ComponentReference {
  const reference = findReference(body);
  if (reference) return reference;
  const expected = `one of ${accepted.join(", ")}`;
  throw new XError("missing_parameter", [accepted[0] ?? "", expected], {
    details: { errors: [{ path: "", message: `must have ${expected}` }] },
  });
}

/** Parameters of the query string or a JSON body; the query takes precedence. */
export const mergeParameters = <T extends object>(query: T, body: T): T => ({ ...body, ...query });

/** Throws `missing_parameter` for the first absent parameter. An empty value is present. */
export function requireParameters<T extends object, K extends keyof T & string>(
  given: T,
  expected: Readonly<Record<K, { readonly description: string }>>,
): asserts given is T & { [name in K]-?: Exclude<T[name], undefined> } {
  const missing = (Object.keys(expected) as K[]).filter((name) => given[name] === undefined);
  const [first] = missing;
  if (first === undefined) return;
  const errors = missing.map((name) => ({ path: `/${name}`, message: "is missing" }));
  throw new XError("missing_parameter", [first, expected[first].description], { details: { errors } });
}
