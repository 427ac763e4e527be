import { expect, test } from "vitest";

import { tryBuiltins } from "../builtins.cases.ts";

const { sameAsNode, ran } = tryBuiltins();

/** Both sides work in a new folder and remove its name from results. */
const inFolder = (work: string): string =>
  `const fs = require("fs"); const { join } = require("path"); const folder = fs.mkdtempSync("/tmp/fs-test-"); const at = (name) => join(folder, name); const shown = (error) => [error.code, error.syscall, error.errno, error.message.replaceAll(folder, "")]; const caught = (run) => { try { return run() } catch (error) { return shown(error) } }; try { const result = await (async () => { ${work} })(); return result } finally { fs.rmSync(folder, { recursive: true, force: true }) }`;

test("files are written, read and listed as in Node", async () => {
  await sameAsNode(
    [
      `fs.writeFileSync(at("a"), "héllo"); fs.appendFileSync(at("a"), Buffer.from("!")); return [fs.readFileSync(at("a"), "utf8"), fs.readFileSync(at("a")), fs.readFileSync(at("a"), { encoding: "hex" }), fs.statSync(at("a")).size]`,
      `fs.mkdirSync(at("x/y/z"), { recursive: true }); fs.writeFileSync(at("x/f"), ""); return [fs.readdirSync(at("x")), fs.readdirSync(folder, { recursive: true }).sort(), fs.readdirSync(at("x"), { withFileTypes: true }).map((entry) => [entry.name, entry.isDirectory(), entry.isFile()]), fs.existsSync(at("x")), fs.existsSync(at("q"))]`,
      `fs.writeFileSync(at("a"), "1"); fs.renameSync(at("a"), at("b")); fs.copyFileSync(at("b"), at("c")); fs.unlinkSync(at("b")); return [fs.readdirSync(folder), fs.readFileSync(at("c"), "latin1")]`,
      `fs.mkdirSync(at("d")); fs.writeFileSync(at("d/f"), "1"); fs.renameSync(at("d"), at("e")); return fs.readFileSync(at("e/f"), "utf8")`,
      `return [caught(() => fs.readFileSync(at("none"))), caught(() => fs.readFileSync(folder)), caught(() => fs.mkdirSync(folder)), caught(() => fs.rmdirSync(at("none"))), caught(() => fs.writeFileSync(at("no/such"), "")), caught(() => fs.readdirSync(at("none"))), caught(() => fs.statSync(at("none"))), caught(() => fs.lstatSync(at("none"))), caught(() => fs.accessSync(at("none"))), caught(() => fs.unlinkSync(at("none"))), caught(() => fs.openSync(at("none"))), caught(() => fs.closeSync(9999)), caught(() => fs.renameSync(at("none"), at("b"))), caught(() => fs.copyFileSync(at("none"), at("b"))), caught(() => fs.readlinkSync(folder))]`,
      `fs.writeFileSync(at("f"), "1"); fs.mkdirSync(at("d")); fs.writeFileSync(at("d/g"), ""); return [caught(() => fs.readFileSync(at("f/x"))), caught(() => fs.mkdirSync(at("f/x"))), caught(() => fs.rmdirSync(at("d"))), caught(() => fs.writeFileSync(at("f"), "2", { flag: "wx" })), caught(() => fs.readdirSync(at("f"))), caught(() => fs.rmSync(at("d")))[0]]`,
      `const fd = fs.openSync(at("f"), "w+"); fs.writeSync(fd, "hello"); fs.writeSync(fd, Buffer.from("XY"), 0, 1, 1); const b = Buffer.alloc(4); const n = fs.readSync(fd, b, 0, 4, 0); fs.ftruncateSync(fd, 7); const size = fs.fstatSync(fd).size; fs.closeSync(fd); return [n, b, size, fs.readFileSync(at("f"))]`,
      `const fd = fs.openSync(at("f"), "a"); fs.writeSync(fd, "a"); fs.writeSync(fd, "b"); return [caught(() => fs.readSync(fd, Buffer.alloc(1)))]`,
      `const seen = []; await new Promise((go) => fs.writeFile(at("f"), "x", (error) => { seen.push(error); fs.readFile(at("f"), "utf8", (error, text) => { seen.push(error, text); fs.stat(at("none"), (error) => { seen.push(error.code); go() }) }) })); return seen`,
      `const { promises } = fs; await promises.mkdir(at("d")); await promises.writeFile(at("d/f"), "x"); return [await promises.readFile(at("d/f"), "utf8"), await promises.readdir(at("d")), await promises.rm(at("d"), { recursive: true }), await promises.access(at("d")).catch((error) => error.code)]`,
      `const promises = require("fs/promises"); const file = await promises.open(at("f"), "w+"); await file.writeFile("abc"); const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 1); await file.close(); return [bytesRead, buffer, promises === fs.promises, promises.constants === fs.constants]`,
      `const { pipeline } = require("stream/promises"); const { Readable } = require("stream"); await pipeline(Readable.from(["a", "b"]), fs.createWriteStream(at("f"))); let text = ""; for await (const chunk of fs.createReadStream(at("f"), { encoding: "utf8" })) text += chunk; return [text, await require("stream/consumers").text(fs.createReadStream(at("f"), { start: 1, end: 1 }))]`,
      `const out = fs.createWriteStream(at("f"), { flags: "a" }); out.write("1"); out.end("2"); await require("events").once(out, "finish"); return [fs.readFileSync(at("f"), "utf8"), out.bytesWritten]`,
      `const [error] = await require("events").once(fs.createReadStream(at("none")), "error"); return shown(error)`,
      `fs.writeFileSync(at("f"), "12345"); fs.truncateSync(at("f"), 2); fs.utimesSync(at("f"), 1, new Date(2000)); const s = fs.statSync(at("f")); return [s.size, s.mtimeMs, s.atime, s.isFile(), s.isDirectory(), s.isSymbolicLink(), (s.mode & 0o777).toString(8)]`,
      `fs.chmodSync(folder, 0o700); fs.writeFileSync(new URL("file://" + at("u")), "url"); return [fs.readFileSync(Buffer.from(at("u")), "utf8"), fs.realpathSync(at(".")) === folder, fs.statSync(at("none"), { throwIfNoEntry: false })]`,
      `return [caught(() => fs.readFileSync("a\\0b"))[0], caught(() => fs.readFileSync({}))[0], caught(() => fs.writeFileSync(at("f"), {}))[0]]`,
      `return fs.readFile(at("f"))`,
      `return await require("util").promisify(fs.readFile)(at("none")).catch(shown)`,
      `const { COPYFILE_EXCL, O_CREAT, F_OK } = fs.constants; fs.writeFileSync(at("a"), ""); return [COPYFILE_EXCL, O_CREAT, F_OK, caught(() => fs.copyFileSync(at("a"), at("a"), COPYFILE_EXCL))]`,
      `await new Promise((go) => fs.exists(folder, go)); return await new Promise((go) => fs.mkdtemp(at("t-"), (error, path) => go(path.startsWith(at("t-")))))`,
    ].map(inFolder),
  );
});

test("files outside /tmp do not exist, whatever the host has", async () => {
  const { emitted } = await ran(`
    const fs = require("fs");
    const code = (run) => { try { return run() } catch (error) { return error.code } };
    const paths = ["/etc/passwd", "/proc/self/environ", "/tmp/../etc/passwd", "etc/hosts", ${JSON.stringify(import.meta.filename)}, process.execPath, "."];
    return {
      read: paths.map((path) => code(() => fs.readFileSync(path, "utf8"))),
      write: ["/etc/x", "/x", "/tmp/../x"].map((path) => code(() => fs.writeFileSync(path, ""))),
      root: fs.readdirSync("/"), tmp: fs.readdirSync("/tmp"), up: code(() => fs.readdirSync("/tmp/../etc")),
      kept: [code(() => fs.rmSync("/tmp", { recursive: true })), code(() => fs.rmdirSync("/")), fs.existsSync("/tmp")],
    };`);
  expect(emitted).toEqual({
    read: ["ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT", "ENOENT", "EISDIR"],
    write: ["ENOENT", "ENOENT", "ENOENT"],
    root: ["tmp"],
    tmp: [],
    up: "ENOENT",
    kept: ["EACCES", "ENOTEMPTY", true],
  });
});

test("files last for one call", async () => {
  const body = `const fs = require("fs"); const before = fs.readdirSync("/tmp"); fs.writeFileSync("/tmp/a", "1"); return before`;
  expect((await ran(body)).emitted).toEqual([]);
  expect((await ran(body)).emitted).toEqual([]);
});

test("all files together hold 16 MiB; more is ENOSPC until some are deleted", async () => {
  const { emitted } = await ran(`
    const fs = require("fs");
    const mebibyte = Buffer.alloc(1024 * 1024);
    const code = (run) => { try { run(); return "ok" } catch (error) { return [error.code, error.syscall, error.message] } };
    for (let at = 0; at < 16; at++) fs.writeFileSync("/tmp/f" + at, mebibyte);
    const full = [code(() => fs.appendFileSync("/tmp/f0", "x")), code(() => fs.truncateSync("/tmp/f1", 2 ** 40))];
    const stream = fs.createWriteStream("/tmp/more");
    stream.end("x");
    const [error] = await require("events").once(stream, "error");
    fs.unlinkSync("/tmp/f0");
    return [...full, error.code, code(() => fs.writeFileSync("/tmp/g", mebibyte)), fs.statSync("/tmp/f1").size];`);
  const message = "ENOSPC: no space left on device, write";
  expect(emitted).toEqual([
    ["ENOSPC", "write", message],
    ["ENOSPC", "truncate", message.replace("write", "truncate")],
    "ENOSPC",
    "ok",
    1024 * 1024,
  ]);
});
