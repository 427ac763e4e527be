type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The fixed fields of OpenAPI 3.1 objects; those of the first list are required. */
const fields: Readonly<Record<string, readonly [string[], string[]]>> = {
  document: [
    ["openapi", "info", "paths"],
    ["jsonSchemaDialect", "servers", "webhooks", "components", "security", "tags", "externalDocs"],
  ],
  info: [
    ["title", "version"],
    ["summary", "description", "termsOfService", "contact", "license"],
  ],
  license: [["name"], ["identifier", "url"]],
  server: [["url"], ["description", "variables"]],
  tag: [["name"], ["description", "externalDocs"]],
  components: [
    [],
    "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems".split(" "),
  ],
  path: [[], ["$ref", "summary", "description", "servers", "parameters", ...methods]],
  operation: [
    ["responses"],
    "tags summary description externalDocs operationId parameters requestBody callbacks deprecated security servers".split(
      " ",
    ),
  ],
  parameter: [
    ["name", "in"],
    "description required deprecated allowEmptyValue style explode allowReserved schema example examples content".split(
      " ",
    ),
  ],
  body: [["content"], ["description", "required"]],
  response: [["description"], ["headers", "content", "links"]],
  media: [[], ["schema", "example", "examples", "encoding"]],
  security: [["type"], "description name in scheme bearerFormat flows openIdConnectUrl".split(" ")],
};

/** Breaches of structural rules of OpenAPI 3.1 that tools depend on, each with its position. */
export function findBreaches(document: unknown): string[] {
  const breaches: string[] = [];
  const operationIds = new Set<string>();
  const say = (place: string, problem: string): void => void breaches.push(`${place}: ${problem}`);

  function read(kind: keyof typeof fields, value: unknown, place: string): Node {
    if (!isNode(value)) {
      say(place, `is no ${kind} object`);
      return {};
    }
    const [needed, more] = fields[kind] ?? [[], []];
    for (const name of needed) if (!(name in value)) say(place, `has no ${name}`);
    for (const name of Object.keys(value)) {
      if (!needed.includes(name) && !more.includes(name) && !name.startsWith("x-")) say(place, `knows no ${name}`);
    }
    return value;
  }
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const entries = (value: unknown): [string, unknown][] => (isNode(value) ? Object.entries(value) : []);

  function readContent(content: unknown, place: string): void {
    for (const [type, media] of entries(content)) {
      if (!/^[\w.+*-]+\/[\w.+*-]+/.test(type)) say(place, `${type} is no media type`);
      read("media", media, `${place} ${type}`);
    }
  }

  function readParameters(given: unknown, path: string, place: string): void {
    const seen = new Set<string>();
    const inPath: string[] = [];
    for (const each of list(given)) {
      const { name, in: where, required, schema, content } = read("parameter", each, place);
      const key = `${String(where)} ${String(name)}`;
      if (seen.has(key)) say(place, `has ${key} twice`);
      seen.add(key);
      if (!["query", "header", "path", "cookie"].includes(String(where))) say(place, `${key} is nowhere`);
      if ((schema === undefined) === (content === undefined)) say(place, `${key} needs schema or content`);
      if (where === "path") {
        inPath.push(String(name));
        if (required !== true) say(place, `${key} must be required`);
      }
    }
    const inTemplate = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? "");
    if (inPath.toSorted().join() !== inTemplate.toSorted().join()) say(place, "names other parameters than its path");
  }

  function readOperation(value: unknown, path: string, place: string, tags: ReadonlySet<string>): void {
    const operation = read("operation", value, place);
    const { operationId } = operation;
    if (typeof operationId === "string") {
      if (operationIds.has(operationId)) say(place, `${operationId} is taken`);
      operationIds.add(operationId);
    }
    for (const tag of list(operation["tags"])) if (!tags.has(String(tag))) say(place, `tag ${String(tag)} is unknown`);
    readParameters(operation["parameters"], path, place);
    if ("requestBody" in operation) readContent(read("body", operation["requestBody"], place)["content"], place);
    const responses = entries(operation["responses"]);
    if (responses.length === 0) say(place, "has no response");
    for (const [status, response] of responses) {
      if (!/^([1-5](\d\d|XX)|default)$/.test(status)) say(place, `${status} is no status`);
      readContent(read("response", response, `${place} ${status}`)["content"], `${place} ${status}`);
    }
  }

  function readReferences(value: unknown, root: Node, place: string): void {
    if (Array.isArray(value)) for (const each of value) readReferences(each, root, place);
    if (!isNode(value)) return;
    const { $ref } = value;
    if (typeof $ref === "string") {
      const target = $ref
        .slice(2)
        .split("/")
        .reduce<unknown>((node, name) => (isNode(node) ? node[name] : undefined), root);
      if (!$ref.startsWith("#/") || !isNode(target)) say(place, `${$ref} leads nowhere`);
    }
    for (const [name, each] of Object.entries(value)) readReferences(each, root, `${place}/${name}`);
  }

  const root = read("document", document, "document");
  if (!/^3\.1\.\d+$/.test(String(root["openapi"]))) say("openapi", "is not 3.1");
  read("license", read("info", root["info"], "info")["license"] ?? { name: "" }, "license");
  for (const server of list(root["servers"])) read("server", server, "servers");
  const tags = new Set(list(root["tags"]).map((tag) => String(read("tag", tag, "tags")["name"])));
  const components = read("components", root["components"] ?? {}, "components");
  const schemes = entries(components["securitySchemes"]);
  for (const [name, scheme] of schemes) read("security", scheme, name);
  for (const requirement of list(root["security"])) {
    for (const [name] of entries(requirement)) {
      if (!schemes.some(([known]) => known === name)) say("security", `${name} is unknown`);
    }
  }
  const templates = new Set<string>();
  for (const [path, item] of entries(root["paths"])) {
    if (!path.startsWith("/")) say(path, "does not begin with a slash");
    const shape = path.replaceAll(/\{[^}]+\}/g, "{}");
    if (templates.has(shape)) say(path, "is there twice, by other names");
    templates.add(shape);
    for (const [name, operation] of entries(read("path", item, path))) {
      if (methods.includes(name)) readOperation(operation, path, `${name} ${path}`, tags);
    }
  }
  readReferences(root, root, "");
  return breaches;
}
