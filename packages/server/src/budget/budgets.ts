import { type ByteBudget, createByteBudget } from "./byte-budget.ts";

/** Most bytes that are kept for clients at the same time. */
export interface BudgetOptions {
  /** Answers that their clients have not taken yet; default 256 MiB, of one user 64 MiB. */
  readonly answerBytes?: number;
  readonly answerBytesPerUser?: number;
  /** The same for answers of endpoints; default 128 MiB, of one endpoint 32 MiB. */
  readonly endpointAnswerBytes?: number;
  readonly endpointAnswerBytesPerEndpoint?: number;
  /** Bodies of requests that have not arrived whole; default 128 MiB, for one user or endpoint 32 MiB. */
  readonly requestBytes?: number;
  readonly requestBytesPerCaller?: number;
}

export interface Budgets {
  readonly answers: ByteBudget;
  readonly endpointAnswers: ByteBudget;
  readonly requests: ByteBudget;
}

const mebibyte = 1024 * 1024;

export const defaultBudgets: Required<BudgetOptions> = {
  answerBytes: 256 * mebibyte,
  answerBytesPerUser: 64 * mebibyte,
  endpointAnswerBytes: 128 * mebibyte,
  endpointAnswerBytesPerEndpoint: 32 * mebibyte,
  requestBytes: 128 * mebibyte,
  requestBytesPerCaller: 32 * mebibyte,
};

/** Users' own connections are cut when they stall; a stranger's makes room for others sooner. */
const userPatienceMs = 30_000;
const strangerPatienceMs = 1_000;

export function createBudgets(options: BudgetOptions = {}): Budgets {
  const limits = { ...defaultBudgets, ...options };
  return {
    answers: createByteBudget({
      bytes: limits.answerBytes,
      bytesPerHolder: limits.answerBytesPerUser,
      patienceMs: userPatienceMs,
    }),
    endpointAnswers: createByteBudget({
      bytes: limits.endpointAnswerBytes,
      bytesPerHolder: limits.endpointAnswerBytesPerEndpoint,
      patienceMs: strangerPatienceMs,
    }),
    requests: createByteBudget({
      bytes: limits.requestBytes,
      bytesPerHolder: limits.requestBytesPerCaller,
      patienceMs: strangerPatienceMs,
    }),
  };
}
