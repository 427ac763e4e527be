import { type ByteBudget, createByteBudget } from "@x/http";

/** Most bytes that are reserved for clients at the same time. */
export interface BudgetOptions {
  /** Answers that clients have not read yet. Default: 256 MiB, 64 MiB per user. */
  readonly answerBytes?: number;
  readonly answerBytesPerUser?: number;
  /** The same for answers of endpoints. Default: 128 MiB, 32 MiB per endpoint. */
  readonly endpointAnswerBytes?: number;
  readonly endpointAnswerBytesPerEndpoint?: number;
  /** Incomplete bodies of requests. Default: 128 MiB, 32 MiB per user or endpoint. */
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

/** Time without progress before a reservation may be evicted. Callers of endpoints are anonymous and get less. */
const userPatienceMs = 30_000;
const anonymousPatienceMs = 1_000;

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
      patienceMs: anonymousPatienceMs,
    }),
    requests: createByteBudget({
      bytes: limits.requestBytes,
      bytesPerHolder: limits.requestBytesPerCaller,
      patienceMs: anonymousPatienceMs,
    }),
  };
}
