/** Errors of the engine itself have other words in every engine. */
const messageOf = ({ message }) => (/\bnot a function$|\bof (?:null|undefined)\b/.test(message) ? "" : message);

/** An error as components look at it. */
export const shownError = (axios, error) => ({
  name: error.name,
  message: messageOf(error),
  // Some versions put an object there.
  code: typeof error.code === "object" ? null : (error.code ?? null),
  ...(error.errno !== undefined && { errno: error.errno, syscall: error.syscall }),
  isOurs: axios.isAxiosError?.(error) ?? null,
  isCancel: axios.isCancel(error),
  status: error.response?.status ?? null,
  data: error.response?.data ?? null,
  hasRequest: Boolean(error.request),
  hasConfig: Boolean(error.config),
  cause: error.cause ? { name: error.cause.name, message: error.cause.message, code: error.cause.code ?? null } : null,
});

/** A value with its type. */
export function shownData(data) {
  if (Buffer.isBuffer(data)) return { buffer: data.toString("base64") };
  if (typeof data?.pipe === "function") return { stream: true };
  return { [typeof data]: data ?? null };
}

/** What comes of each call: its answer as `shown` gives it, or its error. */
export async function outcomes(axios, calls, shown = ({ status, data }) => ({ status, data: shownData(data) })) {
  const all = {};
  for (const [name, call] of Object.entries(calls))
    all[name] = await Promise.resolve()
      .then(call)
      .then(shown, (error) => ({ error: shownError(axios, error) }));
  return all;
}

export async function textOf(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
