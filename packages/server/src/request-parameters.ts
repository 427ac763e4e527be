import { XError } from "@x/runtime";

import type { Parameters, ParameterSchema, RequestProblem } from "./schema.ts";

/** The parameters of a path template such as `/sources/:id`. */
export function pathParameters(path: string): Readonly<Record<string, ParameterSchema>> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "");
  const schema: ParameterSchema = {
    type: "string",
    minLength: 1,
    maxLength: 256,
    description: "at most 256 characters long",
  };
  return Object.fromEntries(names.map((name) => [name, schema]));
}

/** The known query parameters of a request; a repeated one is a problem. */
export function readQuery(search: URLSearchParams, known: Parameters<unknown>, problems: RequestProblem[]): object {
  const query: [string, string][] = [];
  for (const name of Object.keys(known.schema.properties)) {
    const values = search.getAll(name);
    if (values.length > 1) {
      const expected = "given once";
      const problem = { path: `/${name}`, message: `must be ${expected}`, parameter: name, expected };
      problems.push({ in: "query", ...problem, received: `${values.length} values` });
    } else if (values[0] !== undefined) query.push([name, values[0]]);
  }
  return Object.fromEntries(query);
}

/** The known headers of a request. */
export function readHeaders(headers: Headers, known: Parameters<unknown>): object {
  const given: [string, string][] = [];
  for (const name of Object.keys(known.schema.properties)) {
    const value = headers.get(name);
    if (value !== null) given.push([name, value]);
  }
  return Object.fromEntries(given);
}

/** Throws the first problem, with all problems in its details. */
export function refuse(problems: readonly RequestProblem[]): never {
  const [first] = problems;
  const errors = problems.map(({ in: part, path, message }) => ({ in: part, path, message }));
  const { parameter = "request", expected = "valid", received, text = received } = first ?? {};
  if (received === undefined) {
    throw new XError("missing_parameter", [parameter, expected], { details: { parameter, errors } });
  }
  throw new XError("invalid_parameter", [parameter, expected, received], {
    details: { parameter, received: text, errors },
  });
}
