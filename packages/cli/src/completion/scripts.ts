import type { ShellCommand, ShellFlag } from "./words.ts";

const dashed = ({ name }: ShellFlag): string => `--${name}`;
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const valued = ({ flags }: ShellCommand): string =>
  flags
    .filter(({ takesValue }) => takesValue)
    .map(dashed)
    .join(" ");

/** One line per flag of a command whose values are known. */
const choiceCases = (
  commands: readonly ShellCommand[],
  line: (pattern: string, choices: readonly string[]) => string,
): string[] =>
  commands.flatMap(({ name, flags }) =>
    flags.flatMap((flag) => (flag.choices.length === 0 ? [] : [line(`"${name} ${dashed(flag)}"`, flag.choices)])),
  );

/** Completion of x for bash. */
export function bashScript(commands: readonly ShellCommand[]): string {
  const cases = commands.map((command) => {
    const flags = command.flags.map(dashed).join(" ");
    return `    ${command.name}) verbs="${command.verbs.join(" ")}" flags="${flags}" valued="${valued(command)}" ;;`;
  });
  return [
    "# Completion of x for bash; made by `x completion bash`.",
    "_x() {",
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" command="${COMP_WORDS[1]}"',
    '  local verbs="" flags="" valued=""',
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} --help --version" -- "$word"))`,
    "    return",
    "  fi",
    '  case "$command" in',
    ...cases,
    "  esac",
    '  case "$command $before" in',
    ...choiceCases(
      commands,
      (pattern, choices) => `    ${pattern}) COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$word")); return ;;`,
    ),
    "  esac",
    "  # Files, which bash completes when there is no other reply.",
    '  case " $valued " in *" $before "*) return ;; esac',
    '  if [ "${word:0:1}" = "-" ]; then',
    '    COMPREPLY=($(compgen -W "$flags" -- "$word"))',
    '  elif [ "$COMP_CWORD" -eq 2 ] && [ -n "$verbs" ]; then',
    '    COMPREPLY=($(compgen -W "$verbs" -- "$word"))',
    "  fi",
    "}",
    "complete -o default -F _x x",
  ].join("\n");
}

/** Completion of x for zsh. */
export function zshScript(commands: readonly ShellCommand[]): string {
  const described = (name: string, about: string): string => quoted(`${name.replaceAll(":", "\\:")}:${about}`);
  const cases = commands.map((command) => {
    const flags = command.flags.map((flag) => described(dashed(flag), flag.about)).join(" ");
    return `    ${command.name}) verbs=(${command.verbs.join(" ")}) flags=(${flags}) valued="${valued(command)}" ;;`;
  });
  return [
    "#compdef x",
    "# Completion of x for zsh; made by `x completion zsh`.",
    "_x() {",
    "  local -a commands verbs flags",
    '  local valued="" before="${words[CURRENT-1]}"',
    '  if (( CURRENT == 2 )) && [[ "${words[2]}" == -* ]]; then',
    "    compadd -- --help --version",
    "    return",
    "  elif (( CURRENT == 2 )); then",
    `    commands=(${commands.map(({ name, about }) => described(name, about)).join(" ")})`,
    "    _describe command commands",
    "    return",
    "  fi",
    '  case "${words[2]}" in',
    ...cases,
    "  esac",
    '  case "${words[2]} $before" in',
    ...choiceCases(commands, (pattern, choices) => `    ${pattern}) compadd -- ${choices.join(" ")}; return ;;`),
    "  esac",
    '  if [[ " $valued " == *" $before "* ]]; then',
    "    _files",
    '  elif [[ "${words[CURRENT]}" == -* ]]; then',
    "    _describe -o flag flags",
    "  elif (( CURRENT == 3 && ${#verbs} )); then",
    "    compadd -- $verbs",
    "  else",
    "    _files",
    "  fi",
    "}",
    'if [ "$funcstack[1]" = "_x" ]; then _x "$@"; else compdef _x x; fi',
  ].join("\n");
}

/** Conditions by position: a name such as run is a command, a subcommand, and perhaps a file. */
const fishConditions = [
  "function __x_words",
  "  set -l words (commandline -opc)",
  '  test (count $words) -eq $argv[1]; and test "$words[2]" = "$argv[2]"',
  "end",
  "function __x_of",
  "  set -l words (commandline -opc)",
  '  test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"',
  "end",
];

/** Completion of x for fish. */
export function fishScript(commands: readonly ShellCommand[]): string {
  const first = "complete -c x -n '__x_words 1'";
  const lines = commands.flatMap(({ name, about, verbs, flags }) => [
    `${first} -f -a ${name} -d ${quoted(about)}`,
    ...(verbs.length > 0 ? [`complete -c x -f -n '__x_words 2 ${name}' -a ${quoted(verbs.join(" "))}`] : []),
    ...flags.map((flag) => {
      const values =
        flag.choices.length > 0 ? ` -x -a ${quoted(flag.choices.join(" "))}` : flag.takesValue ? " -r" : "";
      return `complete -c x -n '__x_of ${name}' -l ${flag.name}${values} -d ${quoted(flag.about)}`;
    }),
  ]);
  const general = ["help", "version"].map((flag) => `${first} -f -l ${flag}`);
  return ["# Completion of x for fish; made by `x completion fish`.", ...fishConditions, ...general, ...lines].join(
    "\n",
  );
}
