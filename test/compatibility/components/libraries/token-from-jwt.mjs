import { generateKeyPairSync } from "node:crypto";

import axios from "axios";
import jwt from "jsonwebtoken";

/** A service account: signs an assertion, trades it for a token, and checks tokens that come by webhook. */
export default {
  name: "Token from JWT",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true }, secret: { type: "string", secret: true } },
  async run({ body, headers }) {
    const given = headers.authorization?.replace(/^Bearer /, "");
    let claims;
    try {
      claims = jwt.verify(given, this.secret, {
        algorithms: ["HS256"],
        audience: "compat",
        clockTimestamp: 1_767_225_700,
      });
    } catch (error) {
      return this.http.respond({
        status: 401,
        body: { name: error.name, message: error.message, expired: error.expiredAt },
      });
    }
    this.http.respond({ status: 204 });
    const assertion = jwt.sign({ iss: "me", scope: "read", iat: 1_767_225_600 }, this.secret, {
      algorithm: "HS512",
      expiresIn: "1h",
      keyid: "k1",
      audience: "tokens",
    });
    const { data } = await axios.post("https://auth.example.com/token", { assertion });
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const own = jwt.verify(jwt.sign({ by: claims.sub, iat: 1 }, privateKey, { algorithm: "ES256" }), publicKey);
    this.$emit({
      claims,
      own,
      header: jwt.decode(assertion, { complete: true }).header,
      token: data.access_token,
      body,
    });
  },
};
