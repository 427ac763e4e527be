import { compilers } from "./typing/compiler.cases.ts";
import { describeTyping } from "./typing/typing.cases.ts";

describeTyping(compilers.slice(-1));
