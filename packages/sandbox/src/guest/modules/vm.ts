import { typeError } from "../node/node-error.ts";
import { unavailable } from "../node/unavailable.ts";

// oxlint-disable-next-line no-eval -- what the module is for; the code stays in the same sandbox
const evaluate = globalThis.eval;

const compile = (code: unknown, parameters: readonly string[]): unknown =>
  // oxlint-disable-next-line typescript/no-implied-eval -- as above
  new Function(...parameters, String(code));

/** A script of the only realm that there is. Packages make some when they load, and run them later or never. */
class Script {
  readonly #code: string;
  readonly runInContext = unavailable("vm.Script.runInContext");
  readonly runInNewContext = unavailable("vm.Script.runInNewContext");

  constructor(code: unknown) {
    this.#code = String(code);
    // Throws what is wrong with the code, and runs nothing.
    compile(this.#code, []);
  }

  runInThisContext(): unknown {
    return evaluate(this.#code);
  }
}

export default {
  Script,
  createScript: (code: unknown) => new Script(code),
  runInThisContext: (code: unknown) => new Script(code).runInThisContext(),
  compileFunction: (code: unknown, parameters: readonly string[] = []) => compile(code, parameters),
  isContext(object: unknown) {
    if (typeof object === "object" && object !== null) return false;
    throw typeError("ERR_INVALID_ARG_TYPE", `The "object" argument must be of type object.`);
  },
};
