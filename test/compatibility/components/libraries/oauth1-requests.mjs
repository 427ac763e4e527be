import crypto from "node:crypto";

import { axios } from "@pipedream/platform";
import OAuth from "oauth-1.0a";

/** Signs its requests itself; the nonce and the time are fixed, so that the signature can be compared. */
export default {
  name: "OAuth 1.0a",
  version: "0.0.1",
  dedupe: "unique",
  props: {
    board: {
      type: "app",
      app: "board",
      methods: {
        signed(url, method, data = {}) {
          const {
            consumer_key: key,
            consumer_secret: secret,
            oauth_access_token: token,
            oauth_token_secret: tokenSecret,
          } = this.$auth;
          const hash_function = (base, by) => crypto.createHmac("sha1", by).update(base).digest("base64");
          const oauth = new OAuth({ consumer: { key, secret }, signature_method: "HMAC-SHA1", hash_function });
          oauth.getNonce = () => "nonce-of-a-test";
          oauth.getTimeStamp = () => 1_767_225_600;
          return oauth.toHeader(oauth.authorize({ url, method, data }, { key: token, secret: tokenSecret }));
        },
        request({ url, method = "GET", data }) {
          return axios(this, { url, method, data, headers: this.signed(url, method, data) });
        },
      },
    },
    timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } },
  },
  async run() {
    const cards = await this.board.request({ url: "https://board.example.com/1/cards?fields=name%2Cid&q=it%27s" });
    cards.forEach((card) => this.$emit(card, { id: card.id, summary: card.name }));
    await this.board.request({
      url: "https://board.example.com/1/seen",
      method: "POST",
      data: { count: cards.length, note: "ä!*" },
    });
  },
};
