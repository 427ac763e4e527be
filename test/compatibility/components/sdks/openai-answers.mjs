import OpenAI from "openai";

export default {
  name: "OpenAI answers",
  version: "0.0.1",
  props: { http: "$.interface.http", openai: { type: "app", app: "openai", methods: {} } },
  async run({ body }) {
    const client = new OpenAI({ apiKey: this.openai.$auth.api_key, maxRetries: 0 });
    const { choices } = await client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: body.question }],
    });
    this.$emit(choices[0].message);
    const stream = await client.chat.completions.create({
      model: "m",
      messages: [{ role: "user", content: "stream" }],
      stream: true,
    });
    let text = "";
    for await (const {
      choices: [choice],
    } of stream)
      text += choice.delta.content ?? "";
    this.$emit({ text });
    const ids = [];
    for await (const { id } of client.models.list()) ids.push(id);
    this.$emit({ ids });
    this.$emit(
      await client.files.retrieve("none").catch((error) => ({
        is: error instanceof OpenAI.NotFoundError,
        status: error.status,
        message: error.message,
      })),
    );
  },
};
