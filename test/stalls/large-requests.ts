import type { Description, Operation, Parameter } from "../conformance/described.ts";
import type { Random } from "../faults/random.ts";
import { codes } from "../fuzz/rest-samples.ts";
import type { Kind, Known, Step } from "../fuzz/rest-inputs.ts";
import { largeCode, largeJson, largeObject, largeText } from "./large-values.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A body of a request has at most 1 MiB. */
const bodyChars = 1000 * 1024;
/** The line of a request and its headers have at most 16 KiB. */
const queryChars = 8_000;
/** A file of a component has at most 512 KiB. */
const codeChars = 500 * 1024;

const pick = <T>(random: Random, choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

const idKinds: readonly (readonly [RegExp, Kind])[] = [
  [/^\S+ \/sources/, "source"],
  [/^\S+ \/workflows/, "workflow"],
  [/^\S+ \/webhooks/, "webhook"],
  [/^\S+ \/accounts/, "account"],
  [/^\S+ \/executions/, "execution"],
  [/^\S+ \/users/, "user"],
];
const namedKinds: { readonly [name: string]: Kind } = {
  id: "component",
  key: "component",
  component_id: "component",
  emitter_id: "source",
  listener_id: "webhook",
  source_id: "source",
  account_id: "account",
  dynamic_props_id: "dynamic",
  start_id: "event",
  end_id: "event",
  since_id: "event",
};

const isSelection = (name: string): boolean => name === "include" || name === "exclude";
/** How often a member or parameter is given: seldom, when most values of it end the request at once. */
const chanceOf = (name: string): number =>
  isSelection(name) || /^(?:after|before|since|dynamic_props_id)$/.test(name)
    ? 0.05
    : name === "component_code"
      ? 0.7
      : name === "configured_props"
        ? 0.2
        : 0.4;

/** Ways to name a component, of which a request has one. */
const choices = ["component_id", "key", "component_code", "component_files", "component_url"] as const;

function withOneChoice(members: readonly [string, unknown][], random: Random): [string, unknown][] {
  const given = members.filter(([name]) => (choices as readonly string[]).includes(name));
  const code = given.find(([name]) => name === "component_code" && random() < 0.6);
  const chosen = given.length > 0 ? (code ?? pick(random, given))[0] : undefined;
  return members.filter(
    ([name]) =>
      name === chosen ||
      (!(choices as readonly string[]).includes(name) && (name !== "component_entry" || chosen === "component_files")),
  );
}

const kindOf = (operation: string, part: string, name: string): Kind | undefined =>
  part === "path" && name === "id" ? idKinds.find(([path]) => path.test(operation))?.[1] : namedKinds[name];

/** Makes the largest values that a description allows. */
class LargeValues {
  readonly #description: Description & { readonly components?: { readonly schemas?: Record<string, Schema> } };
  readonly #random: Random;

  constructor(description: Description, random: Random) {
    this.#description = description;
    this.#random = random;
  }

  #resolve(schema: Schema): Schema {
    const reference = schema["$ref"];
    if (typeof reference !== "string") return schema;
    return this.#description.components?.schemas?.[reference.split("/").at(-1) ?? ""] ?? {};
  }

  value(given: Schema, name: string, chars: number): unknown {
    const random = this.#random;
    const schema = this.#resolve(given);
    if (Array.isArray(schema["enum"])) return pick(random, schema["enum"] as unknown[]);
    if (isSelection(name) && random() < 0.8) return "id,".repeat(Math.min(chars, 4_000) / 3 - 1) + "id";
    if (name === "component_code")
      return random() < 0.3 ? pick(random, codes) : largeCode(random, Math.min(chars, codeChars));
    const type = Array.isArray(schema["type"]) ? (schema["type"] as unknown[])[0] : schema["type"];
    switch (type) {
      case "string":
        return this.#text(schema, chars);
      case "integer":
      case "number":
        return Math.min(Number(schema["maximum"] ?? 2 ** 53 - 1), pick(random, [100, 2 ** 31, 2 ** 53 - 1]));
      case "boolean":
        return random() < 0.5;
      case "array":
        return this.#array(Object(schema["items"]) as Schema, name, chars);
      case "object":
        return this.#object(schema, name, chars);
      default:
        return largeJson(random, chars);
    }
  }

  #text({ pattern, maxLength }: Schema, chars: number): string {
    const length = Math.min(Number(maxLength ?? chars), chars);
    if (typeof pattern !== "string") return largeText(this.#random, length);
    if (pattern.includes("{27}")) return "2".repeat(27);
    if (pattern.includes("{1,16}")) return `${"9".repeat(16)}-${"9".repeat(15)}`;
    if (pattern.includes("=.*")) return `${"/a".repeat(length / 2 - 2)}=x`;
    return "a".repeat(length);
  }

  #array(items: Schema, name: string, chars: number): unknown[] {
    const one = pick(this.#random, [20, 200, chars]);
    const item = this.value(items, name, Math.min(one, chars));
    const count = Math.max(1, Math.floor(chars / (JSON.stringify(item).length + 1)));
    return Array.from({ length: count }, () => item);
  }

  #object(schema: Schema, name: string, chars: number): object {
    const { properties, additionalProperties } = schema as { properties?: object; additionalProperties?: unknown };
    if (properties)
      return this.members(schema, chars, (member) => this.value(member.schema, member.name, member.chars));
    const isTyped = typeof additionalProperties === "object" && additionalProperties !== null;
    return largeObject(this.#random, chars, (share) =>
      isTyped ? this.value(additionalProperties as Schema, name, share) : largeJson(this.#random, share),
    );
  }

  /** An object with the required and some of the other members, of which one takes most of the space. */
  members(
    schema: Schema,
    chars: number,
    value: (member: { readonly name: string; readonly schema: Schema; readonly chars: number }) => unknown,
  ): object {
    const required = new Set((schema["required"] as string[] | undefined) ?? []);
    const all = Object.entries(Object(schema["properties"]) as Record<string, Schema>);
    const chosen = all.filter(([name]) => required.has(name) || this.#random() < chanceOf(name));
    const large = Math.floor(this.#random() * chosen.length);
    return Object.fromEntries(
      chosen.map(([name, member], index) => {
        const space = index === large ? chars : Math.min(1_000, chars / (chosen.length + 1));
        return [name, value({ name, schema: member, chars: Math.floor(space) })];
      }),
    );
  }
}

function largeStep(operation: string, described: Operation, values: LargeValues, random: Random): Step {
  const of = (part: Parameter["in"]): Parameter[] => (described.parameters ?? []).filter((each) => each.in === part);
  const known = (part: string, name: string): Known | undefined => {
    const $known = kindOf(operation, part, name);
    return $known !== undefined && random() < 0.9 ? { $known, n: Math.floor(random() * 20) } : undefined;
  };
  const query = of("query").filter(({ name }) => random() < chanceOf(name));
  const schema = described.requestBody?.content["application/json"]?.schema;
  const members =
    schema &&
    values.members(
      schema,
      bodyChars * 0.9,
      ({ name, schema: member, chars }) => known("body", name) ?? values.value(member, name, chars),
    );
  const json = members && Object.fromEntries(withOneChoice(Object.entries(members), random));
  return {
    operation,
    path: Object.fromEntries(
      of("path").map((each) => [each.name, known("path", each.name) ?? values.value(each.schema, each.name, 256)]),
    ),
    query: query.map((each) => [
      each.name,
      known("query", each.name) ?? values.value(each.schema, each.name, queryChars / (3 * query.length)),
    ]),
    headers: {},
    ...(json && { body: { json } }),
  };
}

/** More of the requests where more happens. */
const weightOf = (operation: string): number =>
  operation.includes("workflows")
    ? 0.05
    : operation.startsWith("DELETE")
      ? 0.3
      : /run|event|POST \/sources$|configure|props|compare/.test(operation)
        ? 4
        : 1;

/** Makes requests to what the description has, as large as it allows; the same ones for the same random numbers. */
export function largeRequests(description: Description, random: Random): () => Step {
  // Without the request that takes the key of the next ones.
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "servers" && !/^\/(?:healthz|users\/\{id\}\/rotate_key)$/.test(path))
      .map(([method, described]) => ({ operation: `${method.toUpperCase()} ${path}`, described })),
  );
  const total = operations.reduce((sum, { operation }) => sum + weightOf(operation), 0);
  const values = new LargeValues(description, random);
  return () => {
    let rest = random() * total;
    const found = operations.find((each) => (rest -= weightOf(each.operation)) < 0) ?? operations[0];
    if (!found) throw new Error("The description has no operations");
    return largeStep(found.operation, found.described, values, random);
  };
}
