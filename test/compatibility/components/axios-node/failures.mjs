import { outcomes } from "./shown.mjs";

/** Connections that break, never answer, or are given up. */
export default function failures(axios) {
  const url = "https://lost.example.com";
  const { CancelToken } = axios;
  return outcomes(axios, {
    "broken before the answer": () => axios.get(`${url}/broken`),
    "broken while sending": () => axios.post(`${url}/broken`, { a: 1 }),
    "cut in the middle": () => axios.get(`${url}/cut`),
    "cut in the middle of a stream": async () => {
      const { data } = await axios.get(`${url}/cut`, { responseType: "stream" });
      for await (const chunk of data) void chunk;
      return { status: 0, data: "whole" };
    },
    timeout: () => axios.get(`${url}/silent`, { timeout: 100 }),
    "timeout of a POST": () => axios.post(`${url}/silent`, { a: 1 }, { timeout: 100 }),
    timeoutErrorMessage: () => axios.get(`${url}/silent`, { timeout: 100, timeoutErrorMessage: "too slow" }),
    clarifyTimeoutError: () =>
      axios.get(`${url}/silent`, { timeout: 100, transitional: { clarifyTimeoutError: true } }),
    "a timeout that is no number": () => axios.get(`${url}/fine`, { timeout: "soon" }),
    "a signal": () => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(), 50);
      // Versions that know no signal end here.
      return axios.get(`${url}/silent`, { signal: stop.signal, timeout: 300 });
    },
    "a signal with a reason": () => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error("not needed")), 50);
      return axios.get(`${url}/silent`, { signal: stop.signal, timeout: 300 });
    },
    "a signal that was aborted": () => axios.get(`${url}/fine`, { signal: AbortSignal.abort() }),
    "AbortSignal.timeout": () => axios.get(`${url}/silent`, { signal: AbortSignal.timeout(50), timeout: 300 }),
    "a cancel token": () => {
      const { token, cancel } = CancelToken.source();
      setTimeout(() => cancel("changed my mind"), 50);
      return axios.get(`${url}/silent`, { cancelToken: token });
    },
    "a cancel token used before": () => {
      const { token, cancel } = CancelToken.source();
      cancel("before");
      return axios.get(`${url}/fine`, { cancelToken: token });
    },
    "an interceptor that throws": () => {
      const client = axios.create();
      client.interceptors.request.use(() => {
        throw new RangeError("not so");
      });
      return client.get(`${url}/fine`);
    },
  });
}
