import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One call of a hook. */
export interface HookCall {
  readonly hook: string;
  /** Key of the endpoint. */
  readonly key: string;
  readonly name: string;
  readonly mark: string;
  /** What earlier hooks wrote to the db. */
  readonly token: string;
  /** The configured secret, which is encrypted in the store. */
  readonly secret: string;
}

/** A service at which components register their endpoints; it can leave calls unanswered. */
export interface Registrations extends AsyncDisposable {
  readonly url: string;
  /** The registered mark of each endpoint. */
  readonly registered: ReadonlyMap<string, string>;
  readonly calls: readonly HookCall[];
  /** Holds the answers to such calls; resolves after `count` of them. */
  hold(matches: (call: HookCall) => boolean, count: number): Promise<void>;
  /** Answers every call from now on; drops held ones. */
  release(): void;
  /** Adds a note to the calls. */
  note(text: string): void;
  /** Resolves at the next call. */
  next(): Promise<void>;
}

/** A component with all hooks: `activate` registers its endpoint with the mark, `deactivate` deletes the registration. */
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

/** Registrations of marks with this prefix are refused. */
export const refusedMark = "bad";

/** Starts the service. It refuses to delete a missing registration, and refused marks. */
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
    // A starved machine must not make it close a connection that a hook is about to use.
    server.keepAliveTimeout = 0;
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
