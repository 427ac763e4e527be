import { createHash } from "node:crypto";

import { XError } from "@x/runtime";

/** A schema of a database, which holds one store. */
export interface Place {
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
export function createPlace(schema: string): Place {
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

/** A URL without the parameter `schema`, which the driver does not know, and that parameter. */
export function splitUrl(text: string): { readonly url: string; readonly schema: string | undefined } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "postgres:" && url?.protocol !== "postgresql:") {
    // Not the URL itself: it may have a password.
    throw new XError("invalid_options", ["url", "postgres://user@host/database?schema=NAME", "another text"]);
  }
  const schema = url.searchParams.get("schema") ?? undefined;
  url.searchParams.delete("schema");
  return { url: url.href, schema };
}
