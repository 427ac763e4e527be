import { outcomes, shownData } from "./shown.mjs";

/** Redirects as they are followed, limited and refused. */
export default function redirects(axios) {
  const url = "https://old.example.com";
  const auth = { headers: { Authorization: "Bearer here", Cookie: "c=1", "X-Own": "kept" } };
  return outcomes(
    axios,
    {
      "to another path": () => axios.get(`${url}/302?to=/end`, auth),
      "to another host": () => axios.get(`${url}/302?to=https://new.example.com/end`, auth),
      "to plain http": () => axios.get(`${url}/302?to=http://old.example.com/end`, auth),
      "a chain": () => axios.get(`${url}/302?to=${encodeURIComponent("/301?to=/end")}`),
      "a POST by 301": () => axios.post(`${url}/301?to=/end`, { a: 1 }),
      "a POST by 302": () => axios.post(`${url}/302?to=/end`, { a: 1 }),
      "a POST by 303": () => axios.post(`${url}/303?to=/end`, { a: 1 }),
      "a PUT by 303": () => axios.put(`${url}/303?to=/end`, { a: 1 }),
      "a POST by 307": () => axios.post(`${url}/307?to=/end`, { a: 1 }),
      "a DELETE by 308": () => axios.delete(`${url}/308?to=/end`, { data: "x" }),
      "a HEAD by 302": () => axios.head(`${url}/302?to=/end`),
      "not followed": () => axios.get(`${url}/302?to=/end`, { maxRedirects: 0 }),
      "not followed and welcome": () =>
        axios.get(`${url}/302?to=/end`, { maxRedirects: 0, validateStatus: (status) => status < 400 }),
      "too many": () => axios.get(`${url}/loop`, { maxRedirects: 3 }),
      "too many by default": () => axios.get(`${url}/loop`),
      "no location": () => axios.get(`${url}/bare`),
      "before each": () =>
        axios.get(`${url}/302?to=/end`, {
          beforeRedirect(options, answer) {
            options.headers["X-Own"] = `from ${answer?.headers.location}`;
          },
        }),
    },
    ({ status, data, request, headers }) => ({
      status,
      data: shownData(data),
      path: request.path ?? null,
      responseUrl: request.res?.responseUrl ?? null,
      location: headers.location ?? null,
    }),
  );
}
