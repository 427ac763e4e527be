#!/usr/bin/env node
// `npm create @x NAME` is `x new NAME`.
import { argv } from "node:process";

argv.splice(2, 0, "new");
await import("@x/cli/main");
