import { createReadStream, createWriteStream, promises as fs } from "node:fs";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import FormData from "form-data";

import { outcomes, textOf } from "./shown.mjs";

/** Answers read as streams: into files, through zlib, on into another request. */
export default function streams(axios) {
  const stream = (path, config) =>
    axios.get(`https://files.example.com/${path}`, { responseType: "stream", ...config });
  const send = (data, headers) => axios.post("https://files.example.com/upload", data, { headers });
  return outcomes(
    axios,
    {
      "its shape": async () => {
        const { data } = await stream("rows");
        const shape = [data instanceof Readable, typeof data.pipe, data.statusCode ?? null, data.readable];
        return [shape, await textOf(data)];
      },
      "piped to a file": async () => {
        const { data } = await stream("large");
        const file = createWriteStream("/tmp/piped.txt");
        await new Promise((resolve, reject) => data.pipe(file).on("finish", resolve).on("error", reject));
        return [(await fs.stat("/tmp/piped.txt")).size, (await fs.readFile("/tmp/piped.txt", "utf8")).slice(-20)];
      },
      "pipeline to a file and back up": async () => {
        const { data } = await stream("rows");
        await pipeline(data, createWriteStream("/tmp/rows.txt"));
        const { status } = await send(createReadStream("/tmp/rows.txt"), { "Content-Type": "text/plain" });
        return status;
      },
      "through gunzip": async () => {
        const { data } = await stream("archive.gz");
        return await textOf(data.pipe(createGunzip()));
      },
      "through gzip and back": async () => {
        const { data } = await stream("large");
        return (await textOf(data.pipe(createGzip()).pipe(createGunzip()))).length;
      },
      "through a transform": async () => {
        const { data } = await stream("rows");
        const upper = new Transform({
          transform(chunk, _encoding, done) {
            done(null, chunk.toString().toUpperCase());
          },
        });
        return await textOf(data.pipe(upper));
      },
      "into form-data": async () => {
        const { data, headers } = await stream("rows");
        const form = new FormData();
        form.append("file", data, { filename: "rows.csv", contentType: headers["content-type"], knownLength: 13 });
        form.append("name", "sent on");
        return (await send(form, form.getHeaders())).status;
      },
      "sent on as it is": async () => {
        const { data } = await stream("rows");
        return (await send(data.pipe(new PassThrough()), { "Content-Type": "text/csv" })).status;
      },
      "by events": async () => {
        const { data } = await stream("rows");
        const seen = [];
        data.setEncoding("utf8");
        return await new Promise((resolve, reject) => {
          data.on("data", (chunk) => seen.push(chunk));
          data.on("end", () => resolve(seen.join("")));
          data.on("error", reject);
        });
      },
      "an error as a stream": async () => {
        const error = await stream("missing").catch((thrown) => thrown);
        return [error.message, error.response.status, await textOf(error.response.data)];
      },
      compressed: async () => textOf((await stream("compressed")).data),
      "compressed and kept": async () => {
        const { data, headers } = await stream("compressed", { decompress: false });
        return [headers["content-encoding"] ?? null, await textOf(data.pipe(createGunzip()))];
      },
      "too long": async () => textOf((await stream("large", { maxContentLength: 1000 })).data),
      destroyed: async () => {
        const { data } = await stream("large");
        return await new Promise((resolve) => {
          data.on("error", (error) => resolve(["error", error.message])).on("close", () => resolve("closed"));
          data.once("data", () => data.destroy());
        });
      },
    },
    (value) => value,
  );
}
