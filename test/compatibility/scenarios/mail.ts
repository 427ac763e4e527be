import { createHmac } from "node:crypto";

import { postJson, postText, type Answer, type Scenario, type Step, tick } from "../scenario.ts";

function twilioMessage(token: string): Step {
  const params = { Body: "Grüß <Gott> & so", From: "+49 1", MessageSid: "SM1" };
  const signed = `https://here.example.com/in${Object.entries(params).flat().join("")}`;
  const signature = createHmac("sha1", token).update(signed).digest("base64");
  return postText(new URLSearchParams(params).toString(), "application/x-www-form-urlencoded", {
    "x-twilio-signature": signature,
  });
}

const twilio: Answer = ({ url, method }) => {
  if (method === "POST") return { status: 201, body: { sid: "SM9", date_sent: null } };
  const isSecond = url.includes("Page=1");
  const date_sent = "Thu, 01 Jan 2026 10:00:00 +0000";
  const next_page_uri = isSecond ? null : "/2010-04-01/Accounts/AC1/Messages.json?PageSize=2&Page=1&PageToken=PT";
  const messages = (isSecond ? ["SM4"] : ["SM2", "SM3"]).map((sid) => ({ sid, date_sent }));
  return { body: { messages, next_page_uri, page: isSecond ? 1 : 0, page_size: 2 } };
};

function mailgunEvent(key: string): Step {
  const signature = createHmac("sha256", key).update("1767225600tok").digest("hex");
  const data = { id: "m-1", recipient: "z@example.com", timestamp: 1_767_225_600.5 };
  return postJson({ signature: { timestamp: "1767225600", token: "tok", signature }, "event-data": data });
}

const mailgun: Answer = ({ url, method }) => {
  if (url.endsWith("/messages")) return { status: 400, body: { message: "from is not allowed" } };
  if (url.includes("/webhooks"))
    return { body: { message: "done", webhook: { url: "https://here.example.com/in", urls: [method] } } };
  const next = `${url.split("?")[0]}/W3siY?limit=2`;
  return { body: { items: [{ event: "clicked" }], paging: { next, previous: next, first: next, last: next } } };
};

const mailersend: Answer = ({ url, method }, count) => {
  if (url.includes("/webhooks"))
    return method === "DELETE" ? { status: 204 } : { status: 201, body: { data: { id: "wh1" } } };
  return count === 1
    ? { body: { data: [{ id: "a1", type: "opened" }] } }
    : { status: 422, body: { message: "The date is invalid." } };
};

const sendgrid: Answer = ({ url, method }) => {
  if (url.endsWith("/missing")) return { status: 404, body: { errors: [{ message: "not found" }] } };
  return { body: { result: method === "POST" ? [{ id: "c1", email: "z@example.com" }] : [] } };
};

const mailchimp: Answer = ({ url, method }, count) => {
  if (url.includes("/webhooks")) return method === "DELETE" ? { status: 204 } : { body: { id: "hook" } };
  if (url.endsWith("/ping"))
    return count < 3 ? { body: { health_status: "ok" } } : { status: 403, body: { title: "Forbidden", status: 403 } };
  return { body: { members: [{ id: `m${count}`, email_address: "ü@example.com" }] } };
};

export const withMail: readonly Scenario[] = [
  {
    title: "Twilio's messages are verified, answered by TwiML and read back",
    component: "mail/twilio-message.mjs",
    packages: ["twilio"],
    props: { authToken: "tw-t" },
    auth: { twilio: { sid: "SK1", secret: "sec", account: "AC1" } },
    steps: [twilioMessage("tw-t"), twilioMessage("another")],
    upstream: twilio,
  },
  {
    title: "Mailgun's events are verified, read and a message is refused",
    component: "mail/mailgun-event.mjs",
    packages: ["mailgun.js", "form-data"],
    props: { domain: "mg.example.com" },
    auth: { mailgun: { api_key: "key-1" } },
    steps: [mailgunEvent("signing-key"), mailgunEvent("another")],
    upstream: mailgun,
  },
  {
    title: "MailerSend's activity is read until it refuses",
    component: "mail/mailersend-activity.mjs",
    packages: ["mailersend"],
    props: { domainId: "dom" },
    auth: { mailersend: { api_key: "mlsn" } },
    steps: [postJson({ by: "hook" }), postJson({ by: "hook" })],
    upstream: mailersend,
  },
  {
    title: "SendGrid's contacts are searched, and missing ones are reported",
    component: "mail/sendgrid-contacts.mjs",
    packages: ["@sendgrid/client"],
    auth: { sendgrid: { api_key: "SG.1" } },
    headers: ["accept"],
    steps: [tick],
    upstream: sendgrid,
  },
  {
    title: "Mailchimp's members are listed, and a refusal is reported",
    component: "mail/mailchimp-members.mjs",
    packages: ["@mailchimp/mailchimp_marketing"],
    props: { listId: "l1" },
    auth: { mailchimp: { oauth_access_token: "mc", dc: "us6" } },
    steps: [tick, tick],
    upstream: mailchimp,
  },
];
