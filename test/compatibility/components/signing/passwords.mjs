import bcrypt from "bcryptjs";
import forge from "node-forge";

export default {
  name: "Passwords",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const salt = "$2b$04$abcdefghijklmnopqrstuu";
    const hashed = await bcrypt.hash("pässword", salt);
    this.$emit({ hashed, same: await bcrypt.compare("pässword", hashed), other: bcrypt.compareSync("x", hashed) });
    const digest = forge.md.sha1.create().update("abc", "utf8").digest().toHex();
    const cipher = forge.cipher.createCipher("AES-CBC", "0123456789abcdef");
    cipher.start({ iv: "fedcba9876543210" });
    cipher.update(forge.util.createBuffer("text ü", "utf8"));
    cipher.finish();
    this.$emit({ digest, sealed: cipher.output.toHex(), encoded: forge.util.encode64("ab") });
  },
};
