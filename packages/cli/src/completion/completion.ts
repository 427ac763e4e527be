import type { Arguments } from "../arguments/arguments.ts";
import { hintOf } from "../arguments/nearest.ts";
import type { Command, NamedCommand } from "../command.ts";
import { UsageError } from "../errors.ts";
import { exitCodes } from "../exit-code.ts";
import { bashScript, fishScript, zshScript } from "./scripts.ts";
import { shellCommand } from "./words.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof scripts;

const isShell = (name: string): name is Shell => Object.hasOwn(scripts, name);

async function completion(args: Arguments, everyCommand: () => Promise<readonly NamedCommand[]>): Promise<number> {
  const [shell, extra] = args.operands;
  const known = Object.keys(scripts);
  if (shell === undefined) throw new UsageError(`Which shell: x completion ${known.join("|")}?`);
  if (!isShell(shell)) throw new UsageError(`There is no completion for ${shell}; ${hintOf(shell, known)}`);
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many: x completion ${shell}`);
  console.log(scripts[shell]((await everyCommand()).map(shellCommand)));
  return exitCodes.ok;
}

/** `x completion`: the completion of x for a shell, made from the commands. */
export const completionCommand = (everyCommand: () => Promise<readonly NamedCommand[]>): Command => ({
  operands: "bash | zsh | fish",
  details: [
    "bash: put `source <(x completion bash)` into ~/.bashrc. zsh: put `source <(x completion zsh)` into ~/.zshrc, after",
    "compinit. fish: x completion fish > ~/.config/fish/completions/x.fish",
  ].join("\n"),
  flags: [],
  examples: ["x completion bash", "x completion zsh", "x completion fish"],
  run: (args) => completion(args, everyCommand),
});
