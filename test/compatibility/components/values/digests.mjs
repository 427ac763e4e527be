import CryptoJS from "crypto-js";
import { Base64 } from "js-base64";
import md5 from "md5";
import hash from "object-hash";

export default {
  name: "Digests",
  version: "0.0.1",
  dedupe: "unique",
  props: {},
  run(event) {
    const key = CryptoJS.enc.Utf8.parse("0123456789abcdef");
    const sealed = CryptoJS.AES.encrypt("secret text ✓", key, { iv: key }).toString();
    this.$emit(
      {
        md5: md5("Grüße\u0000"),
        object: hash({ b: [1, new Date(0), null], a: { c: "x" } }, { algorithm: "sha256" }),
        unordered: hash([3, 1, 2], { unorderedArrays: true }) === hash([1, 2, 3], { unorderedArrays: true }),
        hmac: CryptoJS.HmacSHA256("message", "key").toString(CryptoJS.enc.Base64),
        sealed,
        opened: CryptoJS.AES.decrypt(sealed, key, { iv: key }).toString(CryptoJS.enc.Utf8),
        base64: [Base64.encode("✓ à la mode"), Base64.encodeURI("✓?>"), Base64.decode("4pyTIMOgIGxhIG1vZGU=")],
      },
      { id: hash(event) },
    );
  },
};
