import {
  ConfirmSubscriptionCommand,
  CreateTopicCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
  UnsubscribeCommand,
} from "@aws-sdk/client-sns";

import aws from "./aws.app.mjs";

/** Subscribes its endpoint to a topic and confirms that by itself. */
export default {
  name: "Topic messages",
  version: "0.0.1",
  dedupe: "unique",
  props: { aws, db: "$.service.db", http: "$.interface.http", topic: "string" },
  methods: {
    client() {
      return new SNSClient(this.aws.config("us-east-1"));
    },
  },
  hooks: {
    async activate() {
      const { TopicArn } = await this.client().send(new CreateTopicCommand({ Name: this.topic }));
      await this.client().send(
        new SubscribeCommand({ TopicArn, Protocol: "https", Endpoint: "https://here.example.com/in" }),
      );
      this.db.set("topicArn", TopicArn);
    },
    async deactivate() {
      await this.client().send(new UnsubscribeCommand({ SubscriptionArn: this.db.get("subscriptionArn") }));
    },
  },
  async run({ body }) {
    const { Type, Token, TopicArn, MessageId, Message } = body;
    if (Type === "SubscriptionConfirmation") {
      const { SubscriptionArn } = await this.client().send(new ConfirmSubscriptionCommand({ Token, TopicArn }));
      this.db.set("subscriptionArn", SubscriptionArn);
      return;
    }
    if (TopicArn !== this.db.get("topicArn")) throw new Error(`Not our topic: ${TopicArn}`);
    this.$emit(JSON.parse(Message), { id: MessageId, summary: Message });
    const MessageAttributes = { kind: { DataType: "String", StringValue: "reply & more" } };
    const sent = await this.client().send(new PublishCommand({ TopicArn, Message: "seen ✓", MessageAttributes }));
    this.$emit({ sent: sent.MessageId }, { id: `sent ${sent.MessageId}` });
  },
};
