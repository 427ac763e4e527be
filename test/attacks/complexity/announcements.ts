import {
  encodeAnnouncement,
  joinAnnouncements,
  type Announcement,
  parseAnnouncement,
} from "../../../packages/postgres/src/cluster/announcement.ts";
import type { ComplexInput } from "./complex-input.ts";

const kind = { class: "algorithmic complexity", promise: "main-thread-free" } as const;

const announcementOf = (n: number): Announcement => ({
  messages: [`n_${n}`],
  triggers: [n],
  events: [{ emitterId: `dc_${n}`, stream: "emits", first: { ms: n, seq: 0 } }],
});

/** Another task: each commit and each packet of a connection comes in one of its own. */
const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Announcements of commits for the other nodes on one PostgreSQL. */
export const announcementInputs: readonly ComplexInput[] = [
  {
    id: "announcements-without-a-connection",
    ...kind,
    size: 20_000,
    prepare: (size) => async () => {
      let waiting: Announcement = {};
      for (let n = 0; n < size; n += 1) {
        waiting = joinAnnouncements(waiting, announcementOf(n));
        // As many commits as one task may end.
        if (n % 100 === 99) await nextTask();
      }
      return encodeAnnouncement("n_1", waiting);
    },
  },
  {
    id: "announcements-in-a-flood",
    ...kind,
    size: 1_000,
    prepare(size) {
      const payloads = Array.from({ length: size }, () => `{"f":"x","e":[${"[],".repeat(2_500)}[]]}`);
      return async () => {
        for (const [n, payload] of payloads.entries()) {
          parseAnnouncement(payload);
          // As many as fit into a packet of 64 KiB.
          if (n % 8 === 7) await nextTask();
        }
      };
    },
  },
];
