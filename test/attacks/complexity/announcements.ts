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

/** Announcements of commits for the other nodes on one PostgreSQL. */
export const announcementInputs: readonly ComplexInput[] = [
  {
    id: "announcements-without-a-connection",
    ...kind,
    size: 20_000,
    prepare: (size) => () => {
      let waiting: Announcement = {};
      for (let n = 0; n < size; n += 1) waiting = joinAnnouncements(waiting, announcementOf(n));
      return encodeAnnouncement("n_1", waiting);
    },
  },
  {
    id: "announcements-in-a-flood",
    ...kind,
    size: 1_000,
    prepare(size) {
      const payloads = Array.from({ length: size }, () => `{"f":"x","e":[${"[],".repeat(2_500)}[]]}`);
      return () => payloads.map((payload) => parseAnnouncement(payload));
    },
  },
];
