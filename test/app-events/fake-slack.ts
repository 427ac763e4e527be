import { createHmac } from "node:crypto";

/** What Slack does with the URL of an app's events, as its documentation says. */
export interface FakeSlack {
  /** Enters the Request URL: Slack sends a challenge, signed. Resolves with "Verified", or what was wrong. */
  enter(url: string): Promise<string>;
  /** Sends an event, and repeats it up to three times while it is not answered with 2xx. Resolves with the statuses. */
  send(event: object, envelope?: object): Promise<readonly number[]>;
  /** True when more than 95 % of the requests failed: Slack turns the URL off. */
  isDisabled(): boolean;
}

const retries = 3;
const minRequests = 20;

export function createFakeSlack(secret: string, now: () => number): FakeSlack {
  let url = "";
  let sent = 0;
  let accepted = 0;
  let events = 0;

  async function post(body: object, headers: Record<string, string> = {}): Promise<Response> {
    const text = JSON.stringify(body);
    const time = String(Math.floor(now() / 1_000));
    const signature = `v0=${createHmac("sha256", secret).update(`v0:${time}:${text}`).digest("hex")}`;
    return fetch(url, {
      method: "POST",
      body: text,
      headers: {
        "content-type": "application/json",
        "x-slack-request-timestamp": time,
        "x-slack-signature": signature,
        ...headers,
      },
    });
  }

  return {
    async enter(given) {
      url = given;
      const challenge = `challenge-${now()}`;
      const answer = await post({ type: "url_verification", token: "t", challenge });
      const text = await answer.text();
      return answer.status === 200 && text === challenge ? "Verified" : `${answer.status} ${text}`;
    },
    async send(event, envelope = {}) {
      events += 1;
      const body = {
        type: "event_callback",
        team_id: "T1",
        api_app_id: "A1",
        event_id: `Ev${events}`,
        event,
        ...envelope,
      };
      const statuses: number[] = [];
      for (let attempt = 0; attempt <= retries; attempt += 1) {
        const headers: Record<string, string> =
          attempt === 0 ? {} : { "x-slack-retry-num": String(attempt), "x-slack-retry-reason": "http_error" };
        const status = await post(body, headers).then(
          (answer) => answer.status,
          () => 0,
        );
        statuses.push(status);
        sent += 1;
        if (status < 200 || status > 299) continue;
        accepted += 1;
        break;
      }
      return statuses;
    },
    isDisabled: () => sent >= minRequests && accepted / sent < 0.05,
  };
}
