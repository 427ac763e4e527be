import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Completes the last word of a command line as a shell does that has loaded the script. Sorted. */
export type Complete = (line: string) => string[];

/** Ends a shell that waits for more. */
const timeout = 300_000;

interface Folder {
  readonly path: string;
}

const lines = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .sort();

export function completeInFish({ path }: Folder, script: string): Complete {
  writeFileSync(join(path, "x.fish"), script);
  const env = { PATH: process.env["PATH"], HOME: path };
  return (line) => {
    const program = `source x.fish; complete -C ${JSON.stringify(line)}`;
    const printed = execFileSync("fish", ["--no-config", "-c", program], { cwd: path, env, timeout, encoding: "utf8" });
    return lines(printed.replaceAll(/\t.*/g, ""));
  };
}

/** A shell in a pseudo-terminal, which types the line and a tab, and ends after it was completed. */
const zshProgram = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source ./setup.zsh'
zpty -r shell seen '*READY*'
zpty -n -w shell "$1"$'\\t'
while zpty -r shell seen; do :; done
`;

/** Completion writes what it offers to a file, and is otherwise that of zsh. */
const zshSetup = (load: string): string => `
PROMPT=
autoload -Uz compinit
${load}
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
leave() { exit }
comppostfuncs=(leave)
compadd() {
  if [[ "\${@[1,(i)(-|--)]}" == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  typeset -a found
  builtin compadd -A found "$@"
  (( $#found )) && print -rl -- $found >> offered
  builtin compadd "$@"
}
print READY
`;

/** The two ways to load the script: with source after compinit, or as a function of the path. */
export const zshLoads = {
  "with source": "compinit -u -D; source ./_x",
  "from the path of functions": "fpath=($PWD $fpath); compinit -u -D",
} as const;

export function completeInZsh({ path }: Folder, script: string, load: string): Complete {
  writeFileSync(join(path, "_x"), script);
  writeFileSync(join(path, "setup.zsh"), zshSetup(load));
  writeFileSync(join(path, "program.zsh"), zshProgram);
  const offered = join(path, "offered");
  const env = { PATH: process.env["PATH"], HOME: path, TERM: "dumb" };
  return (line) => {
    rmSync(offered, { force: true });
    execFileSync("zsh", ["-f", "program.zsh", line], { cwd: path, env, timeout, stdio: "ignore" });
    return existsSync(offered) ? lines(readFileSync(offered, "utf8")) : [];
  };
}
