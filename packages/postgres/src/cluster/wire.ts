import type { Control } from "../control.ts";
import { encodeNews, joinNews, type News, parseNews } from "./news.ts";

/** What a wire needs of its node. */
export interface WireParts {
  readonly nodeId: string;
  readonly channel: string;
  /** Rejects while there is no connection. */
  control(): Control;
  /** News of another node. */
  receive(news: News): void;
}

/** Announces what was stored, and receives what others announce. Everything that comes up meanwhile is one notification. */
export interface Wire {
  announce(news: News): void;
  /** Listens on a connection, and announces what the one before it could not. */
  listen(control: Control): Promise<void>;
}

export function createWire({ nodeId, channel, control, receive }: WireParts): Wire {
  let waiting: News | undefined;
  /** News that no notification carried. */
  let owed: News | undefined;
  let isSending = false;

  async function send(news: News): Promise<void> {
    try {
      await control().rows("SELECT pg_notify($1, $2)", channel, encodeNews(nodeId, news));
    } catch {
      owed = owed ? joinNews(owed, news) : news;
    }
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    // Deferred, so that the commits of one batch are announced together.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    while (waiting) {
      const news = waiting;
      waiting = undefined;
      await send(news);
    }
    isSending = false;
  }

  function announce(news: News): void {
    waiting = waiting ? joinNews(waiting, news) : news;
    if (!isSending) void sendAll();
  }

  return {
    announce,
    async listen(given) {
      await given.listen(channel, (payload) => {
        const announced = parseNews(payload);
        if (announced && announced.from !== nodeId) receive(announced.news);
      });
      if (owed) announce(owed);
      owed = undefined;
    },
  };
}
