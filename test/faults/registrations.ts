import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One hook as the upstream saw it. */
export interface HookCall {
  readonly hook: string;
  /** Key of the endpoint. */
  readonly key: string;
  readonly name: string;
  readonly mark: string;
  /** What earlier hooks left in the db. */
  readonly token: string;
  /** The configured one; the store keeps it encrypted. */
  readonly secret: string;
}

/** A service with which components register their endpoints; it can leave their calls without an answer. */
export interface Registrations extends AsyncDisposable {
  readonly url: string;
  /** The mark that each endpoint is registered with. */
  readonly registered: ReadonlyMap<string, string>;
  readonly calls: readonly HookCall[];
  /** Holds the answers to such calls; resolves when `count` of them have come. */
  hold(matches: (call: HookCall) => boolean, count: number): Promise<void>;
  /** Answers everything from now on; what was held is dropped. */
  release(): void;
  /** Puts a note among the calls. */
  note(text: string): void;
  /** Resolves at the next call. */
  next(): Promise<void>;
}

/** A component with all hooks: `activate` registers its endpoint under the mark, `deactivate` takes that back. */
export const registeringText = (url: string, name: string, mark: string): string => `export default {
  name: "${name}", version: "${mark}",
  props: { db: "$.service.db", http: "$.interface.http", secret: { type: "string", secret: true, optional: true } },
  methods: {
    async tell(hook) {
      const key = this.http.endpoint.split("/").pop();
      const about = new URLSearchParams({ hook, key, name: "${name}", mark: "${mark}",
        token: this.db.get("token") ?? "", secret: this.secret ?? "" });
      const reply = await fetch("${url}/?" + about);
      if (!reply.ok) throw new Error(hook + " was refused: " + reply.status);
      this.db.set("token", hook + " ${mark}");
    },
  },
  hooks: {
    async deploy() { await this.tell("deploy"); },
    async activate() { await this.tell("activate"); },
    async deactivate() { await this.tell("deactivate"); },
  },
  run() { this.$emit("${mark}"); },
};`;

/** Marks that begin so are refused at their registration. */
export const refusedMark = "bad";

/** Starts it. What it refuses: to take back what is not registered, and marks that are to be refused. */
export async function startRegistrations(): Promise<Registrations> {
  const registered = new Map<string, string>();
  const calls: HookCall[] = [];
  let matches = (_call: HookCall): boolean => false;
  let missing = 0;
  let held = Promise.withResolvers<void>();
  let came = Promise.withResolvers<void>();

  function statusOf({ hook, key, mark }: HookCall): number {
    if (hook === "deactivate") return registered.delete(key) ? 200 : 404;
    if (hook !== "activate") return 200;
    if (mark.startsWith(refusedMark)) return 409;
    registered.set(key, mark);
    return 200;
  }
  const server = createServer((request, response: ServerResponse) => {
    const about = new URL(request.url ?? "", "http://localhost").searchParams;
    const of = (name: string): string => about.get(name) ?? "";
    const [hook, key, name, mark] = [of("hook"), of("key"), of("name"), of("mark")];
    const call = { hook, key, name, mark, token: of("token"), secret: of("secret") };
    calls.push(call);
    const status = statusOf(call);
    came.resolve();
    came = Promise.withResolvers<void>();
    if (!matches(call)) {
      response.writeHead(status).end("{}");
      return;
    }
    missing -= 1;
    if (missing === 0) held.resolve();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    registered,
    calls,
    hold(which, count) {
      matches = which;
      missing = count;
      held = Promise.withResolvers<void>();
      return held.promise;
    },
    release: () => void (matches = () => false),
    note: (hook) => void calls.push({ hook, key: "", name: "", mark: "", token: "", secret: "" }),
    next: () => came.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
