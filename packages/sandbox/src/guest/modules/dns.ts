import promises from "node:dns/promises";

export default { promises };
