import { createRequire } from "node:module";

/** The used part of ajv, a dependency of the server. */
export interface Validator {
  addSchema(schema: object, key: string): void;
  getSchema(key: string): (((value: unknown) => boolean) & { errors?: unknown }) | undefined;
}
const serverRequire = createRequire(new URL("../../packages/server/package.json", import.meta.url));
const { Ajv2020 } = serverRequire("ajv/dist/2020.js") as { Ajv2020: new (options: object) => Validator };

interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: Readonly<Record<string, unknown>>; readonly example?: unknown }>
    >;
  };
  readonly responses: Readonly<Record<string, Response>>;
}

/** The OpenAPI document, as far as tests read it. */
export interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The same schemas, which allow no additional members of objects; `partial`: and require none. */
function closed(value: unknown, partial: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => closed(each, partial));
  if (typeof value !== "object" || value === null) return value;
  const isOpen = "additionalProperties" in value || !("properties" in value) || !("required" in value);
  const members = Object.entries(value)
    .filter(([name, member]) => !(partial && name === "required" && Array.isArray(member)))
    .map(([name, member]): [string, unknown] => [
      partial && name === "oneOf" ? "anyOf" : name,
      closed(member, partial),
    ]);
  return Object.fromEntries([...members, ...(isOpen ? [] : [["additionalProperties", false] as [string, unknown]])]);
}

export const pointerOf = (...names: string[]): string =>
  names.map((name) => `/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/**
 * Validates values against the schemas of a description, by pointer; returns what is wrong, or undefined. `whole` answers have
 * no other members, those that a client has selected are `partial`, and bodies of requests are what the schemas say.
 */
export function createValidator(
  description: Description,
  of: "whole" | "partial" | "request" = "whole",
): (pointer: string, value: unknown) => unknown {
  const validator = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  validator.addSchema(of === "request" ? description : (closed(description, of === "partial") as object), "x");
  return (pointer, value) => {
    const validate = validator.getSchema(`x#${pointer}`);
    if (!validate) throw new Error(`No schema at ${pointer}`);
    return validate(value) ? undefined : (validate.errors ?? "it does not fit");
  };
}

export const readDescription = async (url: string): Promise<Description> =>
  (await (await fetch(`${url}/v1/openapi.json`)).json()) as Description;

const parametersIn = (template: string): number => template.match(/\{/g)?.length ?? 0;

/** The operation of a request below /v1; undefined when the description has none. */
function findOperation({ paths }: Description, method: string, path: string): Operation | undefined {
  const [plain = ""] = path.replaceAll("%24", "$").split("?");
  const [found] = Object.entries(paths)
    .filter(([template]) =>
      new RegExp(`^${template.replaceAll("$", "\\$").replaceAll(/\{\w+\}/g, "[^/]+")}/?$`).test(plain),
    )
    .toSorted(([one], [other]) => parametersIn(one) - parametersIn(other));
  return found?.[1][method === "HEAD" ? "get" : method.toLowerCase()];
}

/**
 * Rejects for the status of an answer below /v1 that the description of its operation does not list. Requests without an
 * operation pass. The service at `url` is asked for the description at the first failure.
 */
export function createStatusCheck(url: string): (method: string, path: string, status: number) => Promise<void> {
  let description: Promise<Description> | undefined;
  return async (method, path, status) => {
    // Headers that are too large are refused before any operation is known.
    if (status < 400 || status === 431) return;
    description ??= readDescription(url);
    const operation = findOperation(await description, method, path);
    if (operation && !(status in operation.responses))
      throw new Error(`The description of ${method} ${path} does not list ${status}`);
  };
}
