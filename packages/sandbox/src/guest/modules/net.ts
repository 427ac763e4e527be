import { withLazyMembers } from "../node/lazy-members.ts";
import { checkInteger } from "../node/node-error.ts";
import { createSocket, type SocketType } from "../node/socket.ts";

const byte = "(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
const four = `(?:${byte}[.]){3}${byte}`;
const group = "(?:[0-9a-fA-F]{1,4})";
const six = [
  `(?:${group}:){7}(?:${group}|:)`,
  `(?:${group}:){6}(?:${four}|:${group}|:)`,
  `(?:${group}:){5}(?::${four}|(?::${group}){1,2}|:)`,
  `(?:${group}:){4}(?:(?::${group}){0,1}:${four}|(?::${group}){1,3}|:)`,
  `(?:${group}:){3}(?:(?::${group}){0,2}:${four}|(?::${group}){1,4}|:)`,
  `(?:${group}:){2}(?:(?::${group}){0,3}:${four}|(?::${group}){1,5}|:)`,
  `(?:${group}:){1}(?:(?::${group}){0,4}:${four}|(?::${group}){1,6}|:)`,
  `(?::(?:(?::${group}){0,5}:${four}|(?::${group}){1,7}|:))`,
].join("|");
const ipv4 = new RegExp(`^${four}$`);
const ipv6 = new RegExp(`^(?:${six})(?:%[0-9a-zA-Z-.:]{1,})?$`);

const isIPv4 = (text: unknown): boolean => ipv4.test(String(text));
const isIPv6 = (text: unknown): boolean => ipv6.test(String(text));
const isIP = (text: unknown): 0 | 4 | 6 => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0);

let autoSelect = true;
let attemptTimeoutMs = 250;

const own = {
  isIP,
  isIPv4,
  isIPv6,
  getDefaultAutoSelectFamily: () => autoSelect,
  setDefaultAutoSelectFamily(value: boolean) {
    autoSelect = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => attemptTimeoutMs,
  setDefaultAutoSelectFamilyAttemptTimeout(value: unknown) {
    checkInteger("value", value, 1, 2 ** 31 - 1);
    attemptTimeoutMs = Math.max(value, 10);
  },
};

let socket: SocketType | undefined;
const socketType = (): SocketType => (socket ??= createSocket());

export default withLazyMembers(own, { Socket: socketType, Stream: socketType });
