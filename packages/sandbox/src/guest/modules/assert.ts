import assert from "assert/build/assert.js";

export default assert;
