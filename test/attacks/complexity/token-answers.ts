import { createOAuthProtocol } from "../../../packages/accounts/src/oauth/protocol.ts";
import type { ServerClient } from "../../../packages/accounts/src/oauth/server.ts";
import type { ComplexInput } from "./complex-input.ts";

export const hostileServer: ServerClient = {
  issuer: "https://login.example",
  tokenUrl: "https://login.example/token",
  scopes: [],
  scopeSeparator: " ",
  clientAuth: "post",
  pkce: false,
  issInResponse: false,
  authorizeParams: {},
  grant: "authorization_code",
  clientId: "client",
  clientSecret: "aaaaaaab",
  isIssuerKnown: true,
  authPaths: { oauth_uid: "id", team: "team.id" },
};

/** A renewal that is answered with this body. */
function renewing(body: string, contentType = "application/json", status = 200): () => Promise<unknown> {
  const bytes = Buffer.from(body);
  const headers = [["content-type", contentType]] as const;
  const protocol = createOAuthProtocol(() => Promise.resolve({ status, headers, body: bytes }));
  return () => protocol.refresh(hostileServer, "a-refresh-token").catch((error: unknown) => error);
}

const token = (members: string): string => `{"access_token":"token","token_type":"bearer",${members}}`;
const many = (size: number, item: (index: number) => string): string =>
  Array.from({ length: size }, (_, n) => item(n)).join();
const base64 = (text: string): string => Buffer.from(text).toString("base64url");

type Row = readonly [id: string, answer: (bytes: number) => Parameters<typeof renewing>];

const rows: readonly Row[] = [
  ["scopes", (bytes) => [token(`"scope":"${"a ".repeat(bytes / 2)}"`)]],
  ["list-of-scopes", (bytes) => [token(`"scope":[${many(bytes / 4, () => '"a"')}]`)]],
  ["spaces-as-scopes", (bytes) => [token(`"scope":"${" ".repeat(bytes)}"`)]],
  ["members", (bytes) => [token(many(bytes / 16, (n) => `"m${n}":${n}`))]],
  ["deep", (bytes) => [token(`"deep":${"[".repeat(bytes / 2.1)}${"]".repeat(bytes / 2.1)}`)]],
  ["deep-and-open", (bytes) => ["[".repeat(bytes)]],
  ["number", (bytes) => [token(`"expires_in":"${"1".repeat(bytes)}"`)]],
  ["form", (bytes) => [many(bytes / 12, (n) => `a${n}=1`).replaceAll(",", "&"), "application/x-www-form-urlencoded"]],
  ["form-of-escapes", (bytes) => [`access_token=${"%41".repeat(bytes / 3)}`, "application/x-www-form-urlencoded"]],
  ["description", (bytes) => [`{"error":"e","error_description":"${"aaaaaaab".repeat(bytes / 8)}"}`, undefined, 400]],
  [
    "blank-description",
    (bytes) => [`{"error":"e","error_description":"${"\\n x".repeat(bytes / 4)}"}`, undefined, 400],
  ],
  ["error", (bytes) => [`{"error":"${"\\u200b".repeat(bytes / 6)}"}`, undefined, 400]],
  ["id-token", (bytes) => [token(`"id_token":"${base64("{}")}.${base64(`{"a":"${"x".repeat(bytes / 2)}"}`)}.x"`)]],
  ["id-token-of-dots", (bytes) => [token(`"id_token":"${".".repeat(bytes)}"`)]],
  ["not-utf-8", (bytes) => [Buffer.alloc(bytes / 3, 0xff).toString("utf8")]],
  ["page", (bytes) => ["<a ".repeat(bytes / 3), "text/html"]],
];

/** Answers of the token endpoint of a hostile authorization server; they have at most 256 KiB. */
export const tokenAnswerInputs: readonly ComplexInput[] = rows.map(([id, answer]) => ({
  id: `token-answer-${id}`,
  class: "algorithmic complexity",
  promise: "main-thread-free",
  size: 256_000,
  prepare: (size) => renewing(...answer(Math.floor(size))),
}));
