import { builtin } from "x:host";

import { withLazyMembers } from "../node/lazy-members.ts";
import { createTlsSocket, type SocketType } from "../node/socket.ts";

const socket = (): SocketType => (builtin("node:net") as { readonly Socket: SocketType }).Socket;

export default withLazyMembers({ rootCertificates: [] }, { TLSSocket: () => createTlsSocket(socket()) });
