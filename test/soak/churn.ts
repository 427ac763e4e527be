import { deploy, send } from "../flood/client.ts";
import type { Account } from "../flood/contract.ts";

/** Different codes: one that is used again is in the caches of code, which otherwise fill up to their limits for hours. */
const codes = 12;

const code = (turn: number, version: number): string => `export default {
  name: "Passing ${turn % codes}", version: "0.0.${version}", props: { db: "$.service.db", http: "$.interface.http" },
  hooks: { activate() { this.db.set("active", true); }, deactivate() { this.db.delete("active"); } },
  run(event) { console.log("run", event.path); this.$emit({ n: ${turn % codes}, version: ${version} }); },
};`;

/** Sources that come and go, with webhooks that accept nothing. */
export interface Churn {
  /** Sources that were deployed, changed and deleted. */
  readonly lives: number;
  /** Answers other than those that were due. */
  readonly problems: readonly string[];
  /** The life of one source. */
  live(): Promise<void>;
  /** One life for each code. */
  warmUp(): Promise<void>;
}

export function createChurn(account: Account, receiverUrl: string): Churn {
  const problems: string[] = [];
  let begun = 0;
  let lives = 0;

  async function expectOk(method: string, path: string, body?: unknown): Promise<string> {
    const { status, text } = await send(account, method, path, body);
    if (status >= 300) problems.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    return text;
  }

  async function live(): Promise<void> {
    const turn = (begun += 1);
    const { id, endpoint = "" } = await deploy(account, code(turn, 1), {
      webhook_url: `${receiverUrl}/none/${turn}`,
    });
    const call = async (): Promise<void> => {
      const answer = await fetch(endpoint, { method: "POST", body: "{}" });
      await answer.text();
      if (answer.status !== 200) problems.push(`${id}: its endpoint answered ${answer.status}`);
    };
    await call();
    await expectOk("POST", `/sources/${id}/run`, { event: {} });
    await expectOk("PUT", `/sources/${id}`, { component_code: code(turn, 2) });
    await call();
    await expectOk("PATCH", `/sources/${id}`, { active: false });
    await expectOk("PATCH", `/sources/${id}`, { active: true });
    await call();
    await expectOk("GET", `/sources/${id}/event_summaries?expand=event`);
    const webhooks = JSON.parse(await expectOk("GET", "/users/me/webhooks?limit=100")) as {
      data?: { id: string; url: string }[];
    };
    await expectOk("DELETE", `/sources/${id}`);
    const own = webhooks.data?.find(({ url }) => url.endsWith(`/none/${turn}`));
    if (own) await expectOk("DELETE", `/webhooks/${own.id}`);
    else problems.push(`${id}: its webhook is not in the list`);
    lives += 1;
  }

  return {
    get lives() {
      return lives;
    },
    problems,
    live,
    async warmUp() {
      for (let left = codes; left > 0; left -= 1) await live();
    },
  };
}
