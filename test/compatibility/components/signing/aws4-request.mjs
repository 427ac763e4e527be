import aws4 from "aws4";
import https from "node:https";
import { text } from "node:stream/consumers";

export default {
  name: "AWS4 request",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const options = aws4.sign(
      {
        host: "sqs.eu-west-1.amazonaws.com",
        path: "/?Action=ListQueues",
        headers: { "X-Amz-Date": "20260101T000000Z" },
        service: "sqs",
        region: "eu-west-1",
      },
      { accessKeyId: "AK", secretAccessKey: "SK" },
    );
    const answer = await new Promise((resolve, reject) => https.get(options, resolve).on("error", reject));
    this.$emit({ status: answer.statusCode, text: await text(answer), signed: options.headers.Authorization });
  },
};
