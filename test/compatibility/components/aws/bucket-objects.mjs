import {
  GetObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";

import aws from "./aws.app.mjs";

/** Objects of a bucket, page by page, with the content of the small ones. */
export default {
  name: "Bucket objects",
  version: "0.0.1",
  dedupe: "unique",
  props: { aws, timer: { type: "$.interface.timer", default: { intervalSeconds: 900 } }, bucket: "string" },
  async run() {
    const client = new S3Client(this.aws.config("eu-central-1"));
    const Bucket = this.bucket;
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client, pageSize: 2 },
      { Bucket, Prefix: "in/ü &" },
    )) {
      for (const { Key, LastModified, Size, ETag } of Contents) {
        const { Body, ContentType } = await client.send(new GetObjectCommand({ Bucket, Key }));
        const text = Size < 100 ? await Body.transformToString() : undefined;
        this.$emit({ Key, Size, ETag, ContentType, text }, { id: ETag, summary: Key, ts: LastModified.getTime() });
      }
    }
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key: "seen/at.json",
        Body: JSON.stringify({ ok: "✓" }),
        ContentType: "application/json",
      }),
    );
    try {
      await client.send(new ListObjectsV2Command({ Bucket: "forbidden" }));
    } catch (error) {
      if (!(error instanceof S3ServiceException)) throw error;
      throw new Error(`${error.name} (${error.$metadata.httpStatusCode}): ${error.message}`);
    }
  },
};
