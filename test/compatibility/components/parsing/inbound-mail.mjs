import { simpleParser } from "mailparser";
import nodemailer from "nodemailer";

export default {
  name: "Inbound mail",
  version: "0.0.1",
  props: { http: { type: "$.interface.http", customResponse: true } },
  async run({ body }) {
    const mail = await simpleParser(body.raw);
    const { subject, text, from, attachments, messageId } = mail;
    this.$emit({
      subject,
      text: text.trim(),
      from: from.value,
      messageId,
      files: attachments.map(({ filename, size, content }) => ({ filename, size, text: content.toString() })),
    });
    const transport = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "unix" });
    const sent = await transport.sendMail({
      from: "a@example.com",
      to: "b@example.com",
      subject: "Ü",
      text: "hi",
      messageId: "<m@example.com>",
      date: new Date(0),
    });
    this.$emit({
      envelope: sent.envelope,
      message: sent.message
        .toString()
        .split("\n")
        .filter((line) => !/^(Date|Message-ID)/.test(line)),
    });
    this.http.respond({ status: 200 });
  },
};
