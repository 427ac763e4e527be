import { createHash } from "node:crypto";

import { XError } from "@x/runtime";

/** A schema of a database, which holds one store: names of its tables, locks and channel. */
export interface Namespace {
  readonly schema: string;
  /** For messages. */
  readonly name: string;
  /** Replaces `@table` in a statement by the table's qualified name. */
  qualify(sql: string): string;
  /** The number of an advisory lock of this schema. */
  lockKey(purpose: "service" | "migrations" | "assign" | `node ${string}`): string;
  /** Where nodes notify each other. */
  readonly channel: string;
}

const nameRule = /^(?!pg_)[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** Throws `invalid_options` for a name that is not a plain one. */
export function createNamespace(schema: string): Namespace {
  if (!nameRule.test(schema)) {
    const expected = "1 to 63 letters, digits and _, beginning with a letter or _, and not with pg_";
    throw new XError("invalid_options", ["schema", expected, JSON.stringify(schema)]);
  }
  return {
    schema,
    channel: `x_${createHash("sha256").update(schema).digest("hex").slice(0, 24)}`,
    name: `the schema ${schema} of PostgreSQL`,
    qualify: (sql) => sql.replace(/@(\w+)/g, (_, table: string) => `"${schema}".${table}`),
    lockKey: (purpose) => createHash("sha256").update(`x ${purpose} ${schema}`).digest().readBigInt64BE().toString(),
  };
}

/** The parts of a URL. */
export interface UrlParts {
  /** Without the parameters that the driver does not know. */
  readonly url: string;
  readonly schema: string | undefined;
  /** The same database at the address of the parameter `direct`. */
  readonly direct: string | undefined;
}

/** Takes the parameters `schema` and `direct` out of a URL. Throws `invalid_options`. */
export function splitUrl(text: string): UrlParts {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "postgres:" && url?.protocol !== "postgresql:") {
    // Not the URL itself: it may have a password.
    throw new XError("invalid_options", ["url", "postgres://user@host/database?schema=NAME", "another text"]);
  }
  const [schema, address] = ["schema", "direct"].map((name) => url.searchParams.get(name) ?? undefined);
  for (const name of ["schema", "direct"]) url.searchParams.delete(name);
  return { url: url.href, schema, direct: address === undefined ? undefined : at(url, address) };
}

/** A URL with another host and port. */
function at(url: URL, address: string): string {
  const parts = /^(\[[\da-f:]+\]|[^:/@?#]+)(?::(\d{1,5}))?$/i.exec(address);
  if (!parts) throw new XError("invalid_options", ["direct", "HOST:PORT in the URL of the store", "another text"]);
  const direct = new URL(url);
  direct.hostname = parts[1] ?? "";
  direct.port = parts[2] ?? "5432";
  return direct.href;
}
