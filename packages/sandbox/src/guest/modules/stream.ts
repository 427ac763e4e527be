import Stream from "readable-stream/lib/stream.js";

import { fromWebReadable, fromWebWritable, toWebReadable, toWebWritable } from "../node/web-streams.ts";

const bytesBuffered = 65_536;

Stream.setDefaultHighWaterMark(false, bytesBuffered);
Object.assign(Stream.Readable, { fromWeb: fromWebReadable, toWeb: toWebReadable });
Object.assign(Stream.Writable, { fromWeb: fromWebWritable, toWeb: toWebWritable });

export default Stream;
