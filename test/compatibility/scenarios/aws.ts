import { isSigned } from "../aws-signature.ts";
import { postJson, type Answer, type Scenario, tick } from "../scenario.ts";

const listing = (keys: string, next = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${next}${keys}</ListBucketResult>`;

const contents = (key: string, size: number): string =>
  `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>&quot;${key.length}-${size}&quot;</ETag><Size>${size}</Size></Contents>`;

const s3: Answer = ({ url, method }) => {
  const { host, searchParams, pathname } = new URL(url);
  const xml = { "content-type": "application/xml" };
  if (host.startsWith("forbidden.") || pathname.startsWith("/forbidden"))
    return {
      status: 403,
      headers: xml,
      body: "<Error><Code>AccessDenied</Code><Message>No &amp; never</Message></Error>",
    };
  if (method === "PUT") return { headers: { etag: '"put"' } };
  if (searchParams.get("continuation-token") === "next/2")
    return { headers: xml, body: listing(contents("in/&#252; &amp;/three", 500)) };
  if (searchParams.has("list-type")) {
    const next = "<IsTruncated>true</IsTruncated><NextContinuationToken>next/2</NextContinuationToken>";
    return { headers: xml, body: listing(contents("in/ü &amp;/one", 5) + contents("in/two", 6), next) };
  }
  return { headers: { "content-type": "text/plain" }, body: `of ${pathname}` };
};

const sns: Answer = ({ body }) => {
  const action = new URLSearchParams(body.toString()).get("Action");
  const result = {
    CreateTopic: "<TopicArn>arn:t</TopicArn>",
    Subscribe: "<SubscriptionArn>pending confirmation</SubscriptionArn>",
    ConfirmSubscription: "<SubscriptionArn>arn:s</SubscriptionArn>",
    Publish: "<MessageId>m-9</MessageId>",
  }[action ?? ""];
  return {
    headers: { "content-type": "text/xml" },
    body: `<${action}Response xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><${action}Result>${result ?? ""}</${action}Result></${action}Response>`,
  };
};

const secretAccessKey = "s3cr3t";
const auth = { aws: { accessKeyId: "AKIDEXAMPLE", secretAccessKey } };

/** Signatures hold the time and a number by chance: they are checked here, and masked where the two are compared. */
const signedOnly =
  (answer: Answer): Answer =>
  (request, count) =>
    isSigned(request, secretAccessKey) ? answer(request, count) : { status: 418, body: "The signature does not match" };
const masks = [/(?<=Credential=[^/]+\/)\d+/, /(?<=Signature=)\w+/];

export const withAws: readonly Scenario[] = [
  {
    title: "objects of an S3 bucket are listed, read and written",
    component: "aws/bucket-objects.mjs",
    packages: ["@aws-sdk/client-s3"],
    props: { bucket: "compat" },
    auth,
    steps: [tick],
    masks,
    upstream: signedOnly(s3),
  },
  {
    title: "an SNS topic is subscribed to, confirmed and answered",
    component: "aws/topic-messages.mjs",
    packages: ["@aws-sdk/client-sns"],
    props: { topic: "compat" },
    auth,
    steps: [
      postJson({ Type: "SubscriptionConfirmation", Token: "tok", TopicArn: "arn:t" }),
      postJson({ Type: "Notification", TopicArn: "arn:t", MessageId: "m-1", Message: '{"n":1}' }),
      postJson({ Type: "Notification", TopicArn: "arn:x", MessageId: "m-2", Message: "{}" }),
    ],
    masks,
    upstream: signedOnly(sns),
  },
];
