import { isIP, isIPv4, isIPv6 } from "../node/ip.ts";
import { withLazyMembers } from "../node/lazy-members.ts";
import { createSocket, type SocketType } from "../node/socket.ts";

let autoSelect = true;

const own = {
  isIP,
  isIPv4,
  isIPv6,
  getDefaultAutoSelectFamily: () => autoSelect,
  setDefaultAutoSelectFamily(value: boolean) {
    autoSelect = value;
  },
};

let socket: SocketType | undefined;
const socketType = (): SocketType => (socket ??= createSocket());

export default withLazyMembers(own, { Socket: socketType, Stream: socketType });
