import promises from "node:readline/promises";

export default { promises };
