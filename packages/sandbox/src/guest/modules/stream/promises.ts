import stream from "node:stream";

export default { finished: stream.promises.finished, pipeline: stream.promises.pipeline };
