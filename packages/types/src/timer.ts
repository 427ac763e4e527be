/** `$.interface.timer`: the schedule. */
export interface TimerInterface {
  readonly type: "$.interface.timer";
  readonly intervalSeconds?: number;
  readonly cron?: string;
}

/** What a timer prop may have as `default` or `static`. */
export type Schedule =
  | { readonly intervalSeconds: number; readonly cron?: null | undefined; readonly timezone?: null | undefined }
  | { readonly cron: string; readonly timezone?: string; readonly intervalSeconds?: null | undefined };

/** What `run` gets from a timer. */
export interface TimerEvent {
  /** Scheduled time in epoch seconds. */
  readonly timestamp: number;
  readonly interval_seconds: number;
  readonly cron?: string;
  readonly timezone?: string;
}
