/** The code of a component with these members. */
export const componentText = (members: string): string =>
  `export default { name: "Trial", version: "1.0.0", ${members} };\n`;

/** A poller of `https://api.example.test/items` that counts its polls. */
export const feedText: string = componentText(`
  dedupe: "unique",
  props: {
    timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } },
    db: "$.service.db",
    acme: { type: "app", app: "acme" },
    board: { type: "string", options({ page }) { return page === 0 ? ["a", "b"] : []; } },
  },
  hooks: { deploy() { console.log("deployed"); }, activate() {}, deactivate() {} },
  async run() {
    const answer = await fetch("https://api.example.test/items?board=" + this.board, {
      headers: { authorization: "Bearer " + this.acme.$auth.token },
    });
    for (const item of await answer.json()) this.$emit(item, { id: item.id, summary: "Item " + item.id });
    this.db.set("polls", (this.db.get("polls") ?? 0) + 1);
  },`);

/** The options of the feed. */
export const feedOptions: {
  readonly props: { readonly board: string };
  readonly accounts: { readonly acme: { readonly token: string } };
  readonly routes: { readonly [line: string]: unknown };
} = {
  props: { board: "main" },
  accounts: { acme: { token: "token-of-acme" } },
  routes: { "GET https://api.example.test/items": [{ id: 1 }, { id: 2 }] },
};

/** An HTTP source with custom responses. */
export const inboxText: string = componentText(`
  dedupe: "unique",
  props: { http: { type: "$.interface.http", customResponse: true } },
  run({ method, path, query, headers, body }) {
    if (body === "throw") throw new RangeError("cannot take this");
    this.$emit({ method, path, query, body }, { id: body?.id ?? "none" });
    this.http.respond({ status: 201, headers: { "x-type": headers["content-type"] ?? "" }, body: { got: body ?? null } });
  },`);

/** The error that a promise or function fails with. */
export async function failureOf(step: Promise<unknown> | (() => unknown)): Promise<Error> {
  try {
    await (typeof step === "function" ? step() : step);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}
