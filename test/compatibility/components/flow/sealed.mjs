import crypto from "node:crypto";

const { subtle } = crypto.webcrypto;

export default {
  name: "Sealed",
  version: "0.0.1",
  props: { key: { type: "string" }, publicKey: { type: "string" } },
  async run() {
    const secret = crypto.scryptSync("password", "salt", 32);
    const cipher = crypto.createCipheriv("aes-256-gcm", secret, Buffer.alloc(12, 1));
    cipher.setAAD(Buffer.from("about"));
    const sealed = Buffer.concat([cipher.update("plain \u0000 text", "utf8"), cipher.final()]);
    const opener = crypto.createDecipheriv("aes-256-gcm", secret, Buffer.alloc(12, 1));
    opener.setAAD(Buffer.from("about"));
    opener.setAuthTag(cipher.getAuthTag());
    const signature = crypto.createSign("RSA-SHA256").update("message").sign(this.key, "base64");
    const imported = await subtle.importKey("raw", Buffer.from("key"), { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    this.$emit({
      sealed: sealed.toString("base64"),
      opened: Buffer.concat([opener.update(sealed), opener.final()]).toString(),
      signature,
      verified: crypto.createVerify("RSA-SHA256").update("message").verify(this.publicKey, signature, "base64"),
      derived: crypto.pbkdf2Sync("p", "s", 1_000, 24, "sha512").toString("hex"),
      digests: ["md5", "sha1", "sha512"].map((name) =>
        crypto
          .createHash(name)
          .update("a")
          .update(Buffer.from([0]))
          .digest("base64url"),
      ),
      subtle: Buffer.from(await subtle.sign("HMAC", imported, Buffer.from("m"))).toString("hex"),
      digest: Buffer.from(await subtle.digest("SHA-384", new TextEncoder().encode("é"))).toString("hex"),
      equal: crypto.timingSafeEqual(Buffer.from("ab"), Buffer.from("ab")),
      random: [crypto.randomBytes(16).length, crypto.randomInt(5) < 5, crypto.randomUUID().length],
    });
    crypto.createHash("no-such-hash");
  },
};
