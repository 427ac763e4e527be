import type { Control } from "../control.ts";
import { encodeAnnouncement, joinAnnouncements, type Announcement, parseAnnouncement } from "./announcement.ts";

/** What notifications need of their node. */
export interface NotificationParts {
  readonly nodeId: string;
  readonly channel: string;
  /** Rejects while there is no connection. */
  control(): Control;
  /** What another node announces. */
  receive(announcement: Announcement): void;
}

/** Announces what was stored, and receives what others announce. Everything that comes up meanwhile is one notification. */
export interface Notifications {
  announce(announcement: Announcement): void;
  /** Listens on a connection, and announces what the one before it could not. */
  listen(control: Control): Promise<void>;
}

export function createNotifications({ nodeId, channel, control, receive }: NotificationParts): Notifications {
  let waiting: Announcement | undefined;
  /** What no notification carried yet. */
  let unsent: Announcement | undefined;
  let isSending = false;

  async function send(announcement: Announcement): Promise<void> {
    try {
      await control().rows("SELECT pg_notify($1, $2)", channel, encodeAnnouncement(nodeId, announcement));
    } catch {
      unsent = unsent ? joinAnnouncements(unsent, announcement) : announcement;
    }
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    // Deferred, so that the commits of one batch are announced together.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    while (waiting) {
      const announcement = waiting;
      waiting = undefined;
      await send(announcement);
    }
    isSending = false;
  }

  function announce(announcement: Announcement): void {
    waiting = waiting ? joinAnnouncements(waiting, announcement) : announcement;
    if (!isSending) void sendAll();
  }

  return {
    announce,
    async listen(given) {
      await given.listen(channel, (payload) => {
        const announced = parseAnnouncement(payload);
        if (announced && announced.from !== nodeId) receive(announced.announcement);
      });
      if (unsent) announce(unsent);
      unsent = undefined;
    },
  };
}
