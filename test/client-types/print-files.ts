import {
  comment,
  printMembers,
  printType,
  refName,
  type Schema,
  typeName,
} from "../../packages/model/src/event-schema/print-type.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: { readonly "application/json": { readonly schema: Schema } };
  };
  readonly responses: {
    readonly [status: string]: { readonly content?: { readonly [type: string]: { schema: Schema } } };
  };
}

export interface OpenApiDocument {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
  readonly components: { readonly schemas: { readonly [name: string]: Schema } };
}

const heading = "// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u\n";
/** Parts that every route has, which the client adds. */
const everywhere = new Set(["include", "exclude"]);
/** Of schemas that no route has as its own. */
const common = "envelope";
/** Types that are not in the document. */
const basics = "../basics.ts";

/** The names of the schemas that a value refers to. */
function refsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(refsOf);
  if (typeof value !== "object" || value === null) return [];
  const own = "$ref" in value ? [refName(value as Schema)] : [];
  return [...own, ...Object.values(value).flatMap(refsOf)];
}

const fileOf = (tag: string): string => tag.toLowerCase();

function schemaOf(given: readonly Parameter[]): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(
      given.map(({ name, schema, description }) => [name, { ...schema, ...(description && { description }) }]),
    ),
    required: given.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function printPart(name: string, schema: Schema | undefined): string {
  const properties = Object.fromEntries(
    Object.entries(schema?.properties ?? {}).filter(([key]) => !everywhere.has(key)),
  );
  if (!schema || Object.keys(properties).length === 0) return "";
  const mark = (schema.required ?? []).length > 0 ? "" : "?";
  const none = mark === "" ? "" : " | undefined";
  return `    readonly ${name}${mark}: {\n${printMembers({ ...schema, properties }, "sent", "      ")}    }${none};\n`;
}

function printPath(path: string): string {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => `readonly ${name}: string`);
  return names.length === 0 ? "" : `    readonly path: { ${names.join("; ")} };\n`;
}

function printAnswer({ responses }: Operation): string {
  const [, { content }] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? ["", {}];
  const [mediaType, { schema = {} } = {}] = Object.entries(content ?? {})[0] ?? [];
  if (mediaType === undefined) return "undefined";
  return mediaType === "text/event-stream" ? "EventStream" : printType(schema, "answered", "    ");
}

function printRoute(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters ?? [];
  const part = (place: Parameter["in"]): Schema => schemaOf(parameters.filter(({ in: at }) => at === place));
  const query = part("query");
  const body = operation.requestBody?.content["application/json"].schema;
  const names = Object.keys(body?.properties ?? {}).filter((name) => !everywhere.has(name));
  const queryAlone = Object.entries(query.properties ?? {}).filter(([name]) => !names.includes(name));
  return [
    comment(`${operation.summary}.`, "  "),
    `  readonly ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: {\n`,
    printPath(path),
    // What the body has, the query may have instead.
    printPart("query", { ...query, properties: Object.fromEntries(queryAlone) }),
    printPart("headers", part("header")),
    printPart("body", body),
    `    readonly answer: ${printAnswer(operation)};\n  };\n`,
  ].join("");
}

/** The files of types, by name: for each tag of the document one with its routes, and one with the schemas that it is first to use. */
export function printFiles({ paths, components: { schemas } }: OpenApiDocument): ReadonlyMap<string, string> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => path !== "/healthz")
      .map(([method, operation]) => ({ method, path, operation, tag: operation.tags[0] ?? common })),
  );
  const places = new Map([
    ["PageInfo", common],
    ["Error", common],
  ]);
  function place(names: readonly string[], file: string): void {
    for (const name of names) {
      if (places.has(name)) continue;
      places.set(name, file);
      place(refsOf(schemas[name]), file);
    }
  }
  for (const { operation, tag } of operations) place(refsOf(operation.responses), fileOf(tag));
  const files = new Map<string, string>();
  const write = (file: string, body: string): void => void files.set(`${file}.ts`, withImports(file, body, places));
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  for (const file of new Set(places.values())) {
    const own = [...places].flatMap(([name, at]) => (at === file ? [name] : [])).toSorted();
    write(file, own.map((name) => printSchema(name, schemas[name] ?? {})).join("\n"));
  }
  for (const tag of tags) {
    const table = operations
      .filter((each) => each.tag === tag)
      .map(({ method, path, operation }) => printRoute(method, path, operation));
    write(`${fileOf(tag)}-routes`, `export interface ${tag}Routes {\n${table.join("")}}\n`);
  }
  return files.set("routes.ts", printTable(tags));
}

function printSchema(name: string, schema: Schema): string {
  const about = comment(schema.description, "");
  return schema.properties
    ? `${about}export interface ${typeName(name)} {\n${printMembers(schema, "answered", "  ")}}\n`
    : `${about}export type ${typeName(name)} = ${printType(schema, "answered")};\n`;
}

/** The text of a file, with imports of the types that it names. */
function withImports(file: string, body: string, places: ReadonlyMap<string, string>): string {
  const words = new Set(body.replaceAll(/\/\*\*[^]*?\*\//g, "").match(/\w+/g));
  const types = [...places, ["Json", basics] as const, ["EventStream", basics] as const].filter(
    ([name, at]) => at !== file && words.has(typeName(name)),
  );
  const imports = [...Map.groupBy(types, ([, at]) => at)].map(([at, found]) => {
    const names = found.map(([name]) => typeName(name)).toSorted();
    return `import type { ${names.join(", ")} } from "${at === basics ? at : `./${at}.ts`}";\n`;
  });
  return [heading, imports.toSorted().join(""), body].filter((text) => text !== "").join("\n");
}

/** All routes together. */
const printTable = (tags: readonly string[]): string =>
  [
    heading,
    tags
      .map((tag) => `import type { ${tag}Routes } from "./${fileOf(tag)}-routes.ts";\n`)
      .toSorted()
      .join(""),
    `/** The routes of the REST interface, by method and path. */\nexport interface Routes\n  extends ${tags.map((tag) => `${tag}Routes`).join(",\n    ")} {}\n`,
  ].join("\n");
