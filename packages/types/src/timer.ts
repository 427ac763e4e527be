/** The value of a `$.interface.timer` prop: its schedule. */
export interface TimerInterface {
  readonly type: "$.interface.timer";
  readonly intervalSeconds?: number;
  readonly cron?: string;
}

/** The `default` or `static` of a timer prop. Cron times are UTC unless `timezone` says otherwise. */
export type Schedule =
  | { readonly intervalSeconds: number; readonly cron?: null | undefined; readonly timezone?: null | undefined }
  | { readonly cron: string; readonly timezone?: string; readonly intervalSeconds?: null | undefined };

/** The argument of `run` for a timer. */
export interface TimerEvent {
  /** Scheduled time in epoch seconds. */
  readonly timestamp: number;
  readonly interval_seconds: number;
  readonly cron?: string;
  readonly timezone?: string;
}
