import { outcomes, shownError } from "./shown.mjs";

/** Clients with settings and interceptors of their own. */
export default async function clients(axios) {
  const log = [];
  const client = axios.create({ baseURL: "https://api.example.com/v2", headers: { "X-Own": "1" }, timeout: 5000 });
  client.defaults.headers.common["X-Common"] = "c";
  client.defaults.headers.post["X-Post"] = "p";
  client.interceptors.request.use((config) => {
    log.push(`first ${config.method} ${config.url}`);
    return { ...config, params: { ...config.params, key: "k" } };
  });
  const second = client.interceptors.request.use(async (config) => {
    log.push("second");
    return config;
  });
  client.interceptors.response.use(
    (response) => {
      response.data = { wrapped: response.data };
      return response;
    },
    async (error) => {
      log.push(`failed ${error.response?.status}`);
      if (error.response?.status === 401 && !error.config.again) {
        error.config.again = true;
        error.config.headers["X-Own"] = "2";
        return client.request(error.config);
      }
      throw error;
    },
  );
  const all = await outcomes(axios, {
    get: () => client.get("/items", { params: { page: 1 } }),
    post: () => client.post("items", { a: 1 }),
    "again after 401": () => client.get("/401-once"),
    "called as a function": () => client("/called"),
    "called with both": () => client("/called", { method: "put", data: "x" }),
    all: () =>
      axios
        .all([client.get("/a"), client.get("/b")])
        .then(axios.spread((a, b) => ({ status: a.status + b.status, data: [a.data, b.data] }))),
    "an error of a client": () => client.get("/404"),
    getUri: () => ({ status: 0, data: axios.getUri({ url: "https://a.test/b", params: { c: [1] } }) }),
  });
  client.interceptors.request.eject(second);
  await client.get("/ejected");
  const json = await client.get("/404").catch((error) => {
    const { message, name, code, config } = error.toJSON();
    return {
      message,
      name,
      code: code ?? null,
      method: config.method,
      url: config.url,
      own: shownError(axios, error).isOurs,
    };
  });
  const defaults = {
    timeout: axios.defaults.timeout,
    headers: axios.defaults.headers.common.Accept,
    xsrf: axios.defaults.xsrfCookieName,
    lengths: [axios.defaults.maxContentLength ?? null, axios.defaults.maxBodyLength ?? null],
    adapter: Array.isArray(axios.defaults.adapter) ? axios.defaults.adapter : typeof axios.defaults.adapter,
    version: axios.VERSION ?? null,
    members: Object.keys(axios).sort(),
  };
  return { all, log, json, defaults };
}
