import { expect, test } from "vitest";

import { XError } from "@x/model";
import { readVerification, shownParameters, type VerificationInput } from "./verification-input.ts";

function problem(given: object, stored: readonly string[] = []): string {
  try {
    readVerification(given as VerificationInput, { scheme: "slack", secrets: stored });
    return "accepted";
  } catch (error) {
    if (XError.is(error) && error.code === "invalid_parameter") return error.message;
    throw error;
  }
}

test("A8 reads a row with its secret, and parameters of hmac", () => {
  expect(readVerification({ scheme: "slack", secret: "s" })).toEqual({ scheme: "slack", secrets: ["s"] });
  const given = {
    scheme: "hmac",
    header: "X-Acme-Signature",
    prefix: "sha256=",
    encoding: "hex",
    signed: "{t}.{body}",
    timestamp: "X-Acme-Time",
    tolerance: 300,
    secret: ["new", "old"],
  };
  const read = readVerification(given);
  expect(read.secrets).toEqual(["new", "old"]);
  expect(shownParameters(read)).toEqual({
    header: "x-acme-signature",
    prefix: "sha256=",
    encoding: "hex",
    signed: "{t}.{body}",
    timestamp: "x-acme-time",
    tolerance: 300,
  });
  expect(readVerification({ scheme: "none" })).toEqual({ scheme: "none", secrets: [] });
  const meta = readVerification({ scheme: "meta", secret: "s", verify_token: "v" });
  expect([meta.parameters, shownParameters(meta)]).toEqual([{ verifyToken: "v" }, {}]);
});

test("A8 keeps stored secrets, also behind a new one", () => {
  const kept = { __secret: true };
  const stored = { scheme: "meta", secrets: ["a", "b"], parameters: { verifyToken: "v" } };
  expect(readVerification({ scheme: "slack", secret: kept }, stored).secrets).toEqual(["a", "b"]);
  expect(readVerification({ scheme: "slack", secret: ["n", kept] }, stored).secrets).toEqual(["n", "a", "b"]);
  expect(readVerification({ scheme: "meta", secret: kept, verify_token: kept }, stored)).toEqual(stored);
  expect(problem({ scheme: "slack", secret: kept })).toContain("none is stored");
  expect(problem({ scheme: "slack", secret: ["n", kept] }, ["a", "b", "c", "d"])).toContain("5 of them");
});

test.each([
  [{ scheme: "slak", secret: "s" }, 'did you mean "slack"'],
  [{ secret: "s" }, "one of github, slack"],
  [{ scheme: "slack" }, "scheme slack needs a secret"],
  [{ scheme: "slack", secret: "" }, "an empty one"],
  [{ scheme: "slack", secret: [] }, "0 of them"],
  [{ scheme: "slack", secret: ["a", 1] }, "a text of 1 to 4096 characters"],
  [{ scheme: "slack", secret: "a".repeat(4_097) }, "a text of 1 to 4096 characters"],
  [{ scheme: "slack", secret: "s", header: "x" }, "no parameter of scheme slack, which has tolerance"],
  [{ scheme: "github", secret: "s", tolerance: 1 }, "no parameter of scheme github"],
  [{ scheme: "slack", secret: "s", tolerance: 0 }, "1 to 86400 seconds"],
  [{ scheme: "hmac", secret: "s" }, '"header" must be given'],
  [{ scheme: "hmac", secret: "s", header: "a b" }, "the name of a header"],
  [{ scheme: "hmac", secret: "s", header: "x", signed: "{t}" }, "a text with {body}"],
  [{ scheme: "hmac", secret: "s", header: "x", signed: "{body}{other}" }, "a text with {body}"],
  [{ scheme: "hmac", secret: "s", header: "x", algorithm: "md5" }, "sha1 or sha256 or sha512"],
  [{ scheme: "token", secret: "s" }, "or query instead of it"],
  [{ scheme: "token", secret: "s", header: "x", query: "y" }, "got both"],
  [{ scheme: "discord", secret: "s3cret" }, "64 hexadecimal characters, got a text of 6 characters"],
  [{ scheme: "sendgrid", secret: "s3cret" }, "a public key of P-256"],
  [{ scheme: "standard", secret: "whsec_!" }, "a key in base64 after whsec_"],
  [{ scheme: "none", prefix: "x" }, "no parameter of scheme none"],
])("A8 refuses %j", (given, expected) => {
  const message = problem(given);
  expect(message).toContain(expected);
  expect(message).not.toContain("s3cret");
});
