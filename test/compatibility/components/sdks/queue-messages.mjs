import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";

export default {
  name: "Queue messages",
  version: "0.0.1",
  props: { timer: "$.interface.timer" },
  async run() {
    const settings = { region: "eu-west-1", credentials: { accessKeyId: "AK", secretAccessKey: "SK" }, maxAttempts: 1 };
    const sqs = new SQSClient(settings);
    const QueueUrl = "https://sqs.eu-west-1.amazonaws.com/1/q";
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 2 }));
    for (const { MessageId, Body, ReceiptHandle } of Messages) {
      this.$emit({ id: MessageId, body: JSON.parse(Body) }, { id: MessageId });
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    const dynamo = new DynamoDBClient(settings);
    const input = {
      TableName: "t",
      KeyConditionExpression: "id = :id",
      ExpressionAttributeValues: { ":id": { S: "ü" } },
    };
    this.$emit((await dynamo.send(new QueryCommand(input))).Items);
    this.$emit(
      await dynamo
        .send(new QueryCommand({ ...input, TableName: "none" }))
        .catch(({ name, message }) => ({ name, message })),
    );
  },
};
