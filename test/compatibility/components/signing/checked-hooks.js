import nacl from "tweetnacl";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { verify, createPublicKey } from "node:crypto";

const prefix = Buffer.from("302a300506032b6570032100", "hex");

export default {
  name: "Checked hooks",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true }, publicKey: "string", secret: "string" },
  run({ headers, bodyRaw }) {
    const signature = Buffer.from(headers["x-signature-ed25519"] ?? "", "hex");
    const message = Buffer.from((headers["x-signature-timestamp"] ?? "") + bodyRaw);
    const key = Buffer.from(this.publicKey, "hex");
    const byNacl = signature.length === 64 && nacl.sign.detached.verify(message, signature, key);
    const own = createPublicKey({ key: Buffer.concat([prefix, key]), format: "der", type: "spki" });
    const byNode = verify(null, message, own, signature);
    if (!byNacl) return this.http.respond({ status: 401, body: "invalid request signature" });
    const told = [];
    for (const Verifier of [Webhook, SvixWebhook]) {
      try {
        new Verifier(this.secret).verify(bodyRaw, {
          "webhook-id": "m1",
          "webhook-timestamp": "1",
          "webhook-signature": "v1,x",
          "svix-id": "m1",
          "svix-timestamp": "1",
          "svix-signature": "v1,x",
        });
      } catch ({ message }) {
        told.push(message);
      }
    }
    this.$emit({ byNacl, byNode, told, body: JSON.parse(bodyRaw) });
    return this.http.respond({ status: 200, body: { type: 1 } });
  },
};
