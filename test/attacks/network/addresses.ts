import type { Attack } from "../attack.ts";

/** A URL of this machine or its network; `PORT` is that of a server that must get no request. */
export interface Address extends Attack {
  readonly url: string;
}

const loopback: readonly string[] = [
  ..."127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.1".split(" "),
  ..."127.0.0.1. 127.1. 2130706433. 127.255.255.254 0 0.0.0.0 00.0.0.0 %31%32%37.0.0.1".split(" "),
  ..."localhost LOCALHOST localhost. localhost.. any.localhost a.b.localhost. %6c%6f%63%61%6c%68%6f%73%74".split(" "),
  ..."ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ local\u00adhost ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 １２７.0.0.1".split(" "),
  ..."user@127.0.0.1 example.com@127.0.0.1 example.com%40@127.0.0.1".split(" "),
  ..."[::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1]".split(" "),
  ..."[0:0:0:0:0:ffff:7f00:0001] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::]".split(
    " ",
  ),
];

const networks: readonly string[] = [
  ..."10.0.0.1 0xa000001 012.0.0.1 100.64.0.1 172.16.0.1 172.31.255.255 192.0.0.1 192.168.1.1 192.168.257".split(" "),
  ..."169.254.169.254 169.254.43518 2852039166 0xa9fea9fe 0251.0376.0251.0376 168.63.129.16".split(" "),
  ..."198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255".split(" "),
  ..."[fc00::1] [fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [100::1]".split(" "),
  ..."[::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe]".split(" "),
];

const schemes: readonly string[] = [
  "file:///etc/passwd",
  "data:text/plain,x",
  "ftp://127.0.0.1:PORT/",
  "gopher://127.0.0.1:PORT/_x",
  "ws://127.0.0.1:PORT/",
  "unix:/var/run/docker.sock",
  "http:127.0.0.1:PORT",
  "http:\\\\127.0.0.1:PORT\\",
  "http:///127.0.0.1:PORT/",
  "http://127.0.0.1:PORT\\@example.com/",
  "ht\ttp://127.0.0.1:PORT/",
  " http://127.0.0.1:PORT/ ",
  "//127.0.0.1:PORT/",
  "javascript:fetch('http://127.0.0.1:PORT')",
  "blob:http://127.0.0.1:PORT/x",
  "node:fs",
];

export const addresses: readonly Address[] = [
  ...[...loopback, ...networks].map((host) => ({ name: host, url: `http://${host}:PORT/canary` })),
  ...schemes.map((url) => ({ name: url, url })),
].map(({ name, url }) => ({
  id: `address ${JSON.stringify(name)}`,
  class: "addresses",
  promise: "egress-public",
  url,
}));
