import type { Command } from '#kit/command.ts';

/** What may follow after each sequence of words, from the declarations. */
interface Node {
  readonly path: string;
  readonly words: ReadonlyMap<string, string>;
}

const GLOBAL_FLAGS = new Map([
  ['--json', 'print one JSON value'],
  ['--yes', 'ask nothing'],
  ['--help', 'print help'],
]);

/** A static script: completing starts no process of ours, so it is at once there. */
export function completionScript(
  shell: 'bash' | 'zsh' | 'fish',
  commands: readonly Command[],
): string {
  const nodes = nodesOf(commands);
  return { bash, zsh, fish }[shell](nodes);
}

function nodesOf(commands: readonly Command[]): Node[] {
  const nodes = new Map<string, Map<string, string>>();
  const wordsAfter = (path: string) => {
    const words = nodes.get(path) ?? new Map<string, string>();
    nodes.set(path, words);
    return words;
  };
  for (const { path, summary, options } of commands) {
    const words = path.split(' ');
    words.forEach((word, index) => {
      const isLast = index === words.length - 1;
      wordsAfter(words.slice(0, index).join(' ')).set(word, isLast ? summary : '');
    });
    const own = wordsAfter(path);
    for (const { flag, help } of Object.values(options)) {
      own.set(longName(flag), help);
    }
    GLOBAL_FLAGS.forEach((help, name) => own.set(name, help));
  }
  return [...nodes].map(([path, words]) => ({ path, words }));
}

/** Of `-f, --file <file>`: `--file`. */
const longName = (flag: string): string => /--[\w-]+/.exec(flag)?.[0] ?? flag;

/** Finds the words of the command so far: options and their values do not count. */
const bash = (nodes: readonly Node[]): string => `# frontdesk completion for bash
_frontdesk() {
  local path="" known="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    _frontdesk_words "\${path:+$path }$word" && path="\${path:+$path }$word"
  done
  _frontdesk_words "$path"
  COMPREPLY=($(compgen -W "$known" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_frontdesk_words() {
  case "$1" in
${nodes.map(({ path, words }) => `    '${path}') known='${[...words.keys()].join(' ')}' ;;`).join('\n')}
    *) return 1 ;;
  esac
}
complete -o default -F _frontdesk frontdesk
`;

const zsh = (nodes: readonly Node[]): string => `#compdef frontdesk
_frontdesk_words() {
  case "$1" in
${nodes.map(({ path, words }) => `    '${path}') known=(${[...words].map(described).join(' ')}) ;;`).join('\n')}
    *) return 1 ;;
  esac
}
_frontdesk() {
  local pathed="" word
  local -a known
  for word in "\${words[@]:1:CURRENT-2}"; do
    _frontdesk_words "\${pathed:+$pathed }$word" && pathed="\${pathed:+$pathed }$word"
  done
  _frontdesk_words "$pathed"
  _describe frontdesk known || _files
}
compdef _frontdesk frontdesk
`;

const described = ([word, help]: readonly [string, string]): string =>
  quoted(help ? `${word}:${help}` : word);

const fish = (nodes: readonly Node[]): string => `# frontdesk completion for fish
function __frontdesk_at
  set -l path ''
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; and continue
    contains -- (string trim "$path $word") $__frontdesk_paths; and set path (string trim "$path $word")
  end
  test "$path" = "$argv[1]"
end
set -g __frontdesk_paths ${nodes.map(({ path }) => quoted(path)).join(' ')}
complete -c frontdesk -f
${nodes.flatMap(({ path, words }) => [...words].map((word) => fishLine(path, word))).join('\n')}
`;

function fishLine(path: string, [word, help]: readonly [string, string]): string {
  const at = `complete -c frontdesk -n "__frontdesk_at '${path}'"`;
  const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
  return `${at} ${what}${help ? ` -d ${quoted(help)}` : ''}`;
}

/** In single quotes, for every shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
