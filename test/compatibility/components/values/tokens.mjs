import jwt from "jsonwebtoken";
import simple from "jwt-simple";

export default {
  name: "Tokens",
  version: "0.0.1",
  props: { key: { type: "string" }, publicKey: { type: "string" } },
  run() {
    const claims = { sub: "u1", iat: 1_700_000_000, admin: true };
    const hs = jwt.sign(claims, "shared", { algorithm: "HS512", keyid: "k1" });
    const rs = jwt.sign(claims, this.key, { algorithm: "RS256" });
    const failures = [];
    for (const attempt of [
      () => jwt.verify(hs, "other"),
      () => jwt.verify(jwt.sign({ exp: 1 }, "shared"), "shared"),
      () => jwt.verify("a.b", "shared"),
      () => simple.decode(simple.encode(claims, "k"), "wrong"),
    ]) {
      try {
        failures.push(attempt());
      } catch (error) {
        failures.push([error.name, error.message]);
      }
    }
    this.$emit({
      hs,
      rs,
      decoded: jwt.decode(hs, { complete: true }).header,
      verified: jwt.verify(rs, this.publicKey, { algorithms: ["RS256"], ignoreExpiration: true }),
      simple: simple.decode(simple.encode(claims, "k"), "k"),
      failures,
    });
  },
};
