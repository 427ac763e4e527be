/** Events of waiting triggers that stay in memory, so that the store need not be read when their runs begin. */
export interface KeptEvents {
  /** Keeps a small event while there is room. */
  keep(triggerId: string, event: string): void;
  /** The event, which stays. */
  find(triggerId: string): string | undefined;
  drop(triggerId: string): void;
}

const mostChars = 16 * 1024 * 1024;
const mostCharsOfOne = 4 * 1024;

export function createKeptEvents(): KeptEvents {
  const events = new Map<string, string>();
  let chars = 0;

  return {
    keep(triggerId, event) {
      if (event.length > mostCharsOfOne || chars + event.length > mostChars) return;
      events.set(triggerId, event);
      chars += event.length;
    },
    find: (triggerId) => events.get(triggerId),
    drop(triggerId) {
      chars -= events.get(triggerId)?.length ?? 0;
      events.delete(triggerId);
    },
  };
}
