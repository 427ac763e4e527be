import { createLocalJWKSet, exportJWK, importPKCS8, importSPKI, jwtVerify, SignJWT, decodeJwt } from "jose";

export default {
  name: "Jose tokens",
  version: "0.0.1",
  props: { timer: "$.interface.timer", privateKey: { type: "string", secret: true }, publicKey: "string" },
  async run({ timestamp }) {
    const key = await importPKCS8(this.privateKey, "RS256");
    const token = await new SignJWT({ scope: "read ü" })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .setIssuedAt(timestamp)
      .setIssuer("me")
      .setAudience("you")
      .setExpirationTime(timestamp + 60)
      .sign(key);
    const jwk = {
      ...(await exportJWK(await importSPKI(this.publicKey, "RS256", { extractable: true }))),
      kid: "k1",
      alg: "RS256",
    };
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys: [jwk] }), {
      issuer: "me",
      currentDate: new Date(timestamp * 1000),
    });
    this.$emit({ token, payload, protectedHeader, claims: decodeJwt(token) });
    const refused = await jwtVerify(token, createLocalJWKSet({ keys: [jwk] }), {
      audience: "them",
      currentDate: new Date(timestamp * 1000),
    }).catch(({ code, claim }) => ({ code, claim }));
    this.$emit(refused);
    this.$emit(
      await jwtVerify(`${token.slice(0, -4)}AAAA`, createLocalJWKSet({ keys: [jwk] })).catch(({ code }) => ({ code })),
    );
  },
};
