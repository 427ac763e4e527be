import process from "node:process";

import { errno, signals } from "../node/system-constants.ts";

const folder = "/tmp";
const noBytes = 0;
const oneProcessor = { model: "", speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } };

/** Neutral values without a host name, user or network: nothing about the real machine. */
export default {
  EOL: "\n",
  devNull: "/dev/null",
  arch: () => process.arch,
  availableParallelism: () => 1,
  constants: { errno, signals, priority: {}, dlopen: {}, UV_UDP_REUSEADDR: 4 },
  cpus: () => [structuredClone(oneProcessor)],
  endianness: () => "LE",
  freemem: () => noBytes,
  getPriority: () => 0,
  homedir: () => folder,
  hostname: () => "localhost",
  loadavg: () => [0, 0, 0],
  machine: () => "x86_64",
  networkInterfaces: () => ({}),
  platform: () => process.platform,
  release: () => "0.0.0",
  setPriority: () => undefined,
  tmpdir: () => folder,
  totalmem: () => noBytes,
  type: () => "Linux",
  uptime: () => process.uptime(),
  userInfo: () => ({ uid: -1, gid: -1, username: "component", homedir: folder, shell: null }),
  version: () => "",
};
