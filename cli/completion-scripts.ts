// Completion scripts for shells, made from a list of commands.

/** A command, for completion. */
export interface CompletedCommand {
  name: string;
  summary: string;
  /** The values of its arguments, and whether they can also be files. */
  choices: readonly string[];
  takesFiles: boolean;
  options: readonly CompletedOption[];
}

/** An option: `-t` and `--ttl`, and its values if they are a fixed choice; otherwise files. */
export interface CompletedOption {
  flags: readonly string[];
  description: string;
  takesValue: boolean;
  choices: readonly string[];
}

/** For bash, which completes file names if nothing else fits; a file name can have spaces. */
export function bash(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => `    ${flags.map((flag) => `'${name} ${flag}'`).join('|')}) words='${choices.join(' ')}' ;;`),
  );
  const words = commands.map(
    ({ name, options, choices, takesFiles }) =>
      `        '${name} -') words='${options.flatMap(({ flags }) => flags).join(' ')}' ;;` +
      (choices.length > 0 ? `\n        '${name} '*) words='${choices.join(' ')}'${takesFiles ? ' files=yes' : ''} ;;` : ''),
  );
  return `_locket_wasm() {
  local word=\${COMP_WORDS[COMP_CWORD]} words= files= offers=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')} help --help --version'
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${values.map((line) => `  ${line}`).join('\n')}
      *)
        case "\${COMP_WORDS[1]} \${word:0:1}" in
${words.map((line) => line.replace(/^/gm, '  ')).join('\n')}
        esac
    esac
  fi
  offers=$(compgen -W "$words" -- "$word")
  if [ -n "$files" ]; then
    offers+=$'\\n'$(compgen -f -- "$word")
    compopt -o filenames 2>/dev/null
  fi
  local IFS=$'\\n'
  COMPREPLY=($offers)
}
complete -o default -F _locket_wasm locket-wasm
`;
}

/** For zsh. */
export function zsh(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');
  const value = (choices: readonly string[]): string => (choices.length > 0 ? `(${choices.join(' ')})` : '_files');
  const option = ({ flags, description, takesValue, choices }: CompletedOption): string => {
    const names = flags.length > 1 ? `'(${flags.join(' ')})'{${flags.join(',')}}` : flags.join('');
    const takes = takesValue ? `:value:${value(choices)}` : '';
    return `${names}${quoted(`[${escaped(description)}]${takes}`)}`;
  };
  const command = ({ name, options, choices, takesFiles }: CompletedCommand): string => {
    const both = `{_alternative "names:name:(${choices.join(' ')})" "files:file:_files"}`;
    const rest = choices.length > 0 || takesFiles ? [quoted(`*:argument:${choices.length > 0 && takesFiles ? both : value(choices)}`)] : [];
    return `    ${name}) _arguments -S ${[...options.map(option), ...rest].join(' \\\n      ')} ;;`;
  };
  return `#compdef locket-wasm
_locket_wasm() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${escaped(summary)}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(command).join('\n')}
  esac
}
if [ "$funcstack[1]" = _locket-wasm ]; then
  _locket_wasm "$@"
else
  compdef _locket_wasm locket-wasm
fi
`;
}

/** For fish. */
export function fish(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const lines = commands.flatMap(({ name, summary, options, choices, takesFiles }) => {
    const when = `complete -c locket-wasm -n '__fish_seen_subcommand_from ${name}'`;
    const names = choices.length > 0 ? ` -a ${quoted(choices.join(' '))}` : '';
    const files = takesFiles && names === '' ? [] : [`${when}${takesFiles ? '' : ' -f'}${names}`];
    const given = options.map((option) => {
      const flags = option.flags.map((flag) => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`));
      const values = option.choices.length > 0 ? ` -x -a ${quoted(option.choices.join(' '))}` : option.takesValue ? ' -r' : '';
      return `${when}${flags.join('')}${values} -d ${quoted(option.description)}`;
    });
    return [`complete -c locket-wasm -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`, ...files, ...given];
  });
  return `${lines.join('\n')}\n`;
}
