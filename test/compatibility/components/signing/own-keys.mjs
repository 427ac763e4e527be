import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  publicEncrypt,
  privateDecrypt,
  scryptSync,
  timingSafeEqual,
  webcrypto,
} from "node:crypto";

export default {
  name: "Own keys",
  version: "0.0.1",
  props: { timer: "$.interface.timer", privateKey: { type: "string", secret: true }, publicKey: "string" },
  async run() {
    const signature = createSign("RSA-SHA256").update("text ü").sign(this.privateKey, "base64");
    this.$emit({
      signature,
      verified: createVerify("RSA-SHA256").update("text ü").verify(this.publicKey, signature, "base64"),
    });
    const { kty, n, e } = createPublicKey(this.publicKey).export({ format: "jwk" });
    this.$emit({ kty, e, size: n.length, type: createPrivateKey(this.privateKey).asymmetricKeyType });
    this.$emit(privateDecrypt(this.privateKey, publicEncrypt(this.publicKey, Buffer.from("secret"))).toString());
    const derived = scryptSync("p", "salt", 16, { N: 1024 });
    this.$emit({
      derived: derived.toString("hex"),
      same: timingSafeEqual(derived, scryptSync("p", "salt", 16, { N: 1024 })),
    });
    const key = await webcrypto.subtle.importKey("raw", derived, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const made = Buffer.from(await webcrypto.subtle.sign("HMAC", key, new TextEncoder().encode("m"))).toString("hex");
    this.$emit({ made, equal: made === createHmac("sha256", derived).update("m").digest("hex") });
    try {
      createPrivateKey("no key");
    } catch ({ name, code }) {
      this.$emit({ name, code });
    }
  },
};
