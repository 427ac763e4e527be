import { expect, test } from "vitest";

import { signatureHeaders, signatureSchemes } from "../../packages/inspector/src/page/runs/signature.ts";
import { requestOf, verificationOf } from "../../packages/runtime/src/signatures/vectors.cases.ts";
import { rejectionOf } from "../../packages/runtime/src/signatures/verify.ts";

test.each(signatureSchemes.map(({ id }) => id))(
  "what the inspector signs as %s is accepted by the scheme of that name",
  async (scheme) => {
    const now = 1_795_190_400_000;
    const secret = scheme === "standard" ? "whsec_YSBrZXkgb2YgdHdlbnR5LWZvdXIgYnl0ZXM=" : "s3cret";
    const body = JSON.stringify({ ä: 1, webhookTimestamp: now });
    const headers = await signatureHeaders(scheme, secret, { body, now });
    const sent = { name: scheme, scheme, secret, body, headers, signature: "" };
    expect(rejectionOf(requestOf(sent), verificationOf(sent), now)).toBeUndefined();
    const changed = { ...sent, body: `${body} ` };
    expect(rejectionOf(requestOf(changed), verificationOf(changed), now)).toBe("signature_mismatch");
  },
);
