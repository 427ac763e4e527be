import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { answerText, openTrial, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

const secret = "whsec_é\0secret";
const at = "1795197600";
const macOf = (text: string): Buffer => createHmac("sha256", secret).update(text).digest();

interface Service {
  readonly name: string;
  /** What the service sends with a body. */
  headers(body: string): [string, string][];
  /** What its documentation tells authors to do; leaves `valid`. */
  readonly check: string;
}

const services: readonly Service[] = [
  {
    name: "GitHub",
    headers: (body) => [["x-hub-signature-256", `sha256=${macOf(body).toString("hex")}`]],
    check: `
      const wanted = "sha256=" + createHmac("sha256", secret).update(event.bodyRaw).digest("hex");
      const valid = timingSafeEqual(Buffer.from(event.headers["x-hub-signature-256"]), Buffer.from(wanted));`,
  },
  {
    name: "Stripe",
    headers: (body) => [["stripe-signature", `t=${at},v1=${macOf(`${at}.${body}`).toString("hex")},v0=00`]],
    check: `
      const { t, v1 } = Object.fromEntries(event.headers["stripe-signature"].split(",").map((item) => item.split("=")));
      const wanted = createHmac("sha256", secret).update(t + "." + event.bodyRaw, "utf8").digest("hex");
      const valid = v1.length === wanted.length && timingSafeEqual(Buffer.from(v1, "hex"), Buffer.from(wanted, "hex"));`,
  },
  {
    name: "Slack",
    headers: (body) => [
      ["x-slack-request-timestamp", at],
      ["x-slack-signature", `v0=${macOf(`v0:${at}:${body}`).toString("hex")}`],
    ],
    check: `
      const hmac = createHmac("sha256", secret);
      const [version, hash] = event.headers["x-slack-signature"].split("=");
      hmac.update(version + ":" + event.headers["x-slack-request-timestamp"] + ":").update(event.bodyRaw);
      const valid = timingSafeEqual(Buffer.from(hash, "utf8"), Buffer.from(hmac.digest("hex"), "utf8"));`,
  },
  {
    name: "Shopify",
    headers: (body) => [["x-shopify-hmac-sha256", macOf(body).toString("base64")]],
    check: `
      const wanted = createHmac("sha256", secret).update(Buffer.from(event.bodyRaw)).digest("base64");
      const valid = wanted === event.headers["x-shopify-hmac-sha256"];`,
  },
  {
    name: "crypto.subtle",
    headers: (body) => [["x-signature", macOf(body).toString("hex")]],
    check: `
      const key = await crypto.subtle.importKey("raw", Buffer.from(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
      const signature = Buffer.from(event.headers["x-signature"], "hex");
      const valid = await crypto.subtle.verify("HMAC", key, signature, Buffer.from(event.bodyRaw));`,
  },
];

const component = (check: string): string => `
  import { createHmac, timingSafeEqual } from "crypto";
  const secret = ${JSON.stringify(secret)};
  export default {
    name: "Webhook", version: "0.0.1",
    props: { http: { type: "$.interface.http", customResponse: true } },
    async run(event) {
      ${check}
      this.http.respond({ status: 200, body: String(valid) });
    },
  };`;

/** One digest in eight holds a zero byte, at which text of the engine would end. */
const bodies = Array.from({ length: 40 }, (_, index) => JSON.stringify({ index, text: "é\0\u2028𝄞" }) + "\0\r\n");

describe("signatures of webhooks", () => {
  it("are tested with digests that contain zero bytes", () => {
    expect(bodies.filter((body) => macOf(body).includes(0)).length).toBeGreaterThan(2);
  });

  it.each(services)("verify as the documentation of $name describes", async ({ headers, check }) => {
    const view = await trial.deploy(component(check));
    const answers = await Promise.all(
      bodies.map((text) => trial.hit(view, { text, headers: [["content-type", "text/plain"], ...headers(text)] })),
    );
    expect(new Set(answers.map(answerText))).toEqual(new Set(["true"]));
    const [text = "", other = ""] = bodies;
    const forged = await trial.hit(view, { text, headers: [["content-type", "text/plain"], ...headers(other)] });
    expect(answerText(forged)).toBe("false");
  });
});
