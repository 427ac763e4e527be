/** How a service signs its requests with a shared secret. */
export interface SignatureScheme {
  readonly id: string;
  readonly label: string;
  /** The header with the signature. */
  readonly header: string;
  /** The headers that a request gets. `sign` resolves with the HMAC-SHA256 of a text. */
  headers(request: Signed, sign: Sign): Promise<Readonly<Record<string, string>>>;
}

interface Signed {
  readonly body: string;
  /** Epoch seconds. */
  readonly seconds: number;
  readonly id: string;
}

type Encoding = "hex" | "base64";
type Sign = (text: string, encoding: Encoding) => Promise<string>;

const ofBody = (
  id: string,
  label: string,
  header: string,
  prefix = "",
  encoding: Encoding = "hex",
): SignatureScheme => ({
  id,
  label,
  header,
  headers: async ({ body }, sign) => ({ [header]: prefix + (await sign(body, encoding)) }),
});

/** The schemes of which a request can be signed here. */
export const signatureSchemes: readonly SignatureScheme[] = [
  ofBody("github", "GitHub", "x-hub-signature-256", "sha256="),
  {
    id: "standard",
    label: "Standard Webhooks",
    header: "webhook-signature",
    headers: async ({ body, seconds, id }, sign) => ({
      "webhook-id": id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1,${await sign(`${id}.${seconds}.${body}`, "base64")}`,
    }),
  },
  {
    id: "stripe",
    label: "Stripe",
    header: "stripe-signature",
    headers: async ({ body, seconds }, sign) => ({
      "stripe-signature": `t=${seconds},v1=${await sign(`${seconds}.${body}`, "hex")}`,
    }),
  },
  {
    id: "slack",
    label: "Slack",
    header: "x-slack-signature",
    headers: async ({ body, seconds }, sign) => ({
      "x-slack-request-timestamp": String(seconds),
      "x-slack-signature": `v0=${await sign(`v0:${seconds}:${body}`, "hex")}`,
    }),
  },
  ofBody("shopify", "Shopify", "x-shopify-hmac-sha256", "", "base64"),
  ofBody("linear", "Linear", "linear-signature"),
  ofBody("typeform", "Typeform", "typeform-signature", "sha256=", "base64"),
  ofBody("hmac", "HMAC-SHA256 in x-signature", "x-signature"),
];

/** The scheme by which a request is signed, by its headers. */
export const schemeOf = (headers: Iterable<string>): string => {
  const names = new Set([...headers].map((name) => name.toLowerCase()));
  return signatureSchemes.find(({ header }) => names.has(header))?.id ?? "";
};

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

/** The key of a secret: its text, and for Standard Webhooks what is in base64 behind `whsec_`. */
const keyOf = (scheme: string, secret: string): Uint8Array<ArrayBuffer> =>
  scheme === "standard" && secret.startsWith("whsec_")
    ? Uint8Array.from(atob(secret.slice("whsec_".length)), (letter) => letter.codePointAt(0) ?? 0)
    : bytesOf(secret);

const encode = (bytes: Uint8Array, encoding: Encoding): string =>
  encoding === "hex"
    ? [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
    : btoa(String.fromCodePoint(...bytes));

/** The headers that sign a body with a secret. Rejects where the browser has no cryptography: not on `https` or `localhost`. */
export async function signatureHeaders(
  schemeId: string,
  secret: string,
  { body, now }: { readonly body: string; readonly now: number },
): Promise<Readonly<Record<string, string>>> {
  const scheme = signatureSchemes.find(({ id }) => id === schemeId);
  if (!scheme) return {};
  const { subtle } = globalThis.crypto;
  if (!subtle) throw new Error("The browser signs only on pages of https or localhost.");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await subtle.importKey("raw", keyOf(schemeId, secret), algorithm, false, ["sign"]);
  const id = `msg_${now.toString(36)}`;
  return scheme.headers({ body, seconds: Math.floor(now / 1_000), id }, async (text, encoding) =>
    encode(new Uint8Array(await subtle.sign("HMAC", key, bytesOf(text))), encoding),
  );
}
