const longestMessage = 1_000;

/** The problem of a message; undefined: it is valid. */
function findProblem(body) {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return 'Send JSON with the header "content-type: application/json"';
  }
  if (typeof body.message !== "string" || body.message.trim() === "") return '"message" must be text that is not empty';
  if (body.message.length > longestMessage) return `"message" must be at most ${longestMessage} characters`;
  if (body.id !== undefined && !/^[\w.-]{1,64}$/.test(body.id)) {
    return '"id" must be 1 to 64 letters, digits, dots, dashes or underscores';
  }
  return undefined;
}

/** Accepts messages over HTTP, answers the sender, and emits each message once. */
export default {
  name: "HTTP inbox",
  version: "0.1.0",
  key: "example-http-inbox",
  description: "Emits every message that is posted to its endpoint",
  // A repeated request with the same id causes no second event.
  dedupe: "unique",
  props: {
    http: { type: "$.interface.http", customResponse: true },
  },
  methods: {
    refuse(status, error, headers) {
      return this.http.respond({ status, headers, body: { error } });
    },
  },
  async run({ method, body }) {
    if (method !== "POST") return this.refuse(405, "Send a POST request", { allow: "POST" });
    const problem = findProblem(body);
    if (problem) return this.refuse(400, problem);

    const id = String(body.id ?? crypto.randomUUID());
    this.$emit({ id, message: body.message, from: body.from ?? null }, { id, summary: body.message });
    return this.http.respond({ status: 201, body: { id } });
  },
};
