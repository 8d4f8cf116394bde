/** The commands and flags that may follow a path of commands, each with its help. */
export interface Place {
  readonly path: string;
  readonly commands: ReadonlyMap<string, string>;
  readonly flags: ReadonlyMap<string, string>;
}

/** The possible values of an option, or of an argument of a command. */
export interface Value {
  /** `admin apply --file`, or `restore 1` for the first argument. */
  readonly keys: readonly string[];
  readonly kind: 'file' | 'folder' | 'word' | 'words' | 'anything';
  /** The possible words; `words` are separated by commas. */
  readonly choices: readonly string[];
}

/**
 * Parses the line itself: bash splits words at `:` and `=`, and the part before such a character is
 * removed from the suggestions. Runs in bash 3.2, the version of macOS.
 */
export const bashCompletion = (
  places: readonly Place[],
  values: readonly Value[],
): string => `# frontdesk completion for bash
${BASH_COMPLETE}
_frontdesk_place() {
  case "$1" in
${places.map(bashPlaceLine).join('\n')}
    *) return 1 ;;
  esac
}
_frontdesk_value() {
  case "$1" in
${values.map(bashValueLine).join('\n')}
    *) return 1 ;;
  esac
}
complete -F _frontdesk frontdesk
`;

const BASH_COMPLETE = `_frontdesk() {
  local path="" commands="" flags="" kind="" choices="" before="" key="" count=0 word words
  local line="\${COMP_LINE:0:COMP_POINT}"
  read -a words <<<"$line"
  local current="\${words[\${#words[@]}-1]}"
  if [[ "$line" == *[[:space:]] && "$line" != *\\\\[[:space:]] ]]; then current=""; else unset "words[\${#words[@]}-1]"; fi
  for word in "\${words[@]:1}"; do
    if [[ -n "$key" ]]; then
      key=""
    elif [[ "$word" == -* ]]; then
      _frontdesk_value "$path $word" && key="$path $word"
    elif [[ $count -eq 0 ]] && _frontdesk_place "\${path:+$path }$word"; then
      path="\${path:+$path }$word"
    else
      count=$((count + 1))
    fi
  done
  if [[ -z "$key" && "$current" == --*=* ]] && _frontdesk_value "$path \${current%%=*}"; then
    key="$path \${current%%=*}"
    before="\${current%%=*}="
    current="\${current#*=}"
  fi
  _frontdesk_place "$path"
  COMPREPLY=()
  if [[ -z "$key" && "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -z "$key" && $count -eq 0 && -n "$commands" ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  fi
  if [[ -n "$key" || "$current" != -* ]] && _frontdesk_value "\${key:-$path $((count + 1))}"; then
    _frontdesk_offer
  elif [[ -z "$current" && -z "$commands" ]]; then
    COMPREPLY=($flags)
  fi
}
_frontdesk_offer() {
  local IFS=$'\\n' listed="\${current%"\${current##*,}"}"
  case "$kind" in
    file)
      compopt -o filenames 2>/dev/null
      [[ -z "$commands$before" ]] && compopt -o default 2>/dev/null && return
      COMPREPLY+=($(compgen -f -- "$current"))
      ;;
    folder)
      compopt -o filenames 2>/dev/null
      [[ -z "$commands$before" ]] && compopt -o dirnames 2>/dev/null && return
      COMPREPLY+=($(compgen -d -- "$current"))
      ;;
    words)
      compopt -o nospace 2>/dev/null
      COMPREPLY+=($(IFS=' ' && compgen -W "$choices" -P "$listed" -- "\${current##*,}"))
      ;;
    word) COMPREPLY+=($(IFS=' ' && compgen -W "$choices" -- "$current")) ;;
  esac
  [[ "$COMP_WORDBREAKS" == *=* ]] || COMPREPLY=("\${COMPREPLY[@]/#/$before}")
  if [[ "$COMP_WORDBREAKS" == *:* && "$current" == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
  fi
}`;

const bashPlaceLine = ({ path, commands, flags }: Place): string =>
  `    ${quoted(path)}) commands='${[...commands.keys()].join(' ')}' flags='${[...flags.keys()].join(' ')}' ;;`;

const bashValueLine = ({ keys, kind, choices }: Value): string =>
  `    ${keys.map(quoted).join(' | ')}) kind=${kind} choices='${choices.join(' ')}' ;;`;

/** Can be sourced, or stored in a folder of `fpath`, where zsh runs it on first use. */
export const zshCompletion = (
  places: readonly Place[],
  values: readonly Value[],
): string => `#compdef frontdesk
_frontdesk_place() {
  case "$1" in
${places.map(zshPlaceLine).join('\n')}
    *) return 1 ;;
  esac
}
_frontdesk_value() {
  case "$1" in
${values.map(zshValueLine).join('\n')}
    *) return 1 ;;
  esac
}
${ZSH_COMPLETE}
`;

const ZSH_COMPLETE = `_frontdesk() {
  local place="" key="" kind="" word
  local -i count=0
  local -a commands flags choices
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$key" ]]; then
      key=""
    elif [[ "$word" == -* ]]; then
      _frontdesk_value "$place $word" && key="$place $word"
    elif (( count == 0 )) && _frontdesk_place "\${place:+$place }$word"; then
      place="\${place:+$place }$word"
    else
      count+=1
    fi
  done
  _frontdesk_place "$place"
  if [[ -z "$key" && "$words[CURRENT]" == --*=* ]]; then
    key="$place \${words[CURRENT]%%=*}"
    compset -P 1 '*='
  fi
  if [[ -z "$key" && "$words[CURRENT]" == -* ]]; then
    _describe -o option flags
    return
  fi
  if [[ -z "$key" ]] && (( count == 0 && \${#commands} > 0 )); then
    _describe command commands
  fi
  if ! _frontdesk_value "\${key:-$place $((count + 1))}"; then
    (( \${#commands} > 0 )) || _describe -o option flags
    return
  fi
  case "$kind" in
    file) _files ;;
    folder) _files -/ ;;
    words) compset -P '*,'; compadd -S '' -a choices ;;
    word) compadd -a choices ;;
    *) _message value ;;
  esac
}
if [[ "$funcstack[1]" == _frontdesk ]]; then
  _frontdesk "$@"
else
  compdef _frontdesk frontdesk
fi`;

const zshPlaceLine = ({ path, commands, flags }: Place): string =>
  `    ${quoted(path)}) commands=(${zshDescribed(commands)}) flags=(${zshDescribed(flags)}) ;;`;

const zshDescribed = (words: ReadonlyMap<string, string>): string =>
  [...words].map(([word, help]) => quoted(help ? `${word}:${help}` : word)).join(' ');

const zshValueLine = ({ keys, kind, choices }: Value): string =>
  `    ${keys.map(quoted).join(' | ')}) kind=${kind} choices=(${choices.map(quoted).join(' ')}) ;;`;

/** One function runs once per Tab; one condition per word would run hundreds of times. */
export const fishCompletion = (
  places: readonly Place[],
  values: readonly Value[],
): string => `# frontdesk completion for fish
function __frontdesk_place
  switch $argv[1]
${places.map(fishPlaceLines).join('\n')}
    case '*'
      return 1
  end
  return 0
end
function __frontdesk_value
  switch $argv[1]
${values.map(fishValueLines).join('\n')}
    case '*'
      return 1
  end
  return 0
end
${FISH_COMPLETE}
complete -c frontdesk -f -a '(__frontdesk_complete)'
`;

const FISH_COMPLETE = `function __frontdesk_complete
  set -l place ''
  set -l key ''
  set -l count 0
  set -g __frontdesk_commands
  set -g __frontdesk_flags
  set -g __frontdesk_kind
  set -g __frontdesk_choices
  for word in (commandline -opc)[2..]
    if test -n "$key"
      set key ''
    else if string match -q -- '-*' $word
      __frontdesk_value "$place $word"; and set key "$place $word"
    else if test $count -eq 0; and __frontdesk_place (string trim "$place $word")
      set place (string trim "$place $word")
    else
      set count (math $count + 1)
    end
  end
  __frontdesk_place $place
  set -l current (commandline -ct)
  set -l before ''
  if test -z "$key"; and string match -q -- '--*=*' $current
    set key "$place "(string replace -r '=.*' '' -- $current)
    set before (string replace -r '=.*' '=' -- $current)
    set current (string replace -r '^[^=]*=' '' -- $current)
  end
  if test -z "$key"; and string match -q -- '-*' $current
    printf '%s\\n' $__frontdesk_flags
    return
  end
  if test -z "$key"; and test $count -eq 0; and test (count $__frontdesk_commands) -gt 0
    printf '%s\\n' $__frontdesk_commands
  end
  test -n "$key"; or set key "$place "(math $count + 1)
  __frontdesk_value $key; or return
  switch $__frontdesk_kind
    case file
      __fish_complete_path $current | string replace -r -- '^' "$before"
    case folder
      __fish_complete_directories $current '' | string replace -r -- '^' "$before"
    case words
      set before $before(string replace -r '[^,]*$' '' -- $current)
      string replace -r -- '^' "$before" $__frontdesk_choices
    case word
      string replace -r -- '^' "$before" $__frontdesk_choices
  end
end`;

const fishPlaceLines = ({ path, commands, flags }: Place): string =>
  `    case ${quoted(path)}
      set -g __frontdesk_commands ${fishDescribed(commands)}
      set -g __frontdesk_flags ${fishDescribed(flags)}`;

/** fish separates a word from its help by a tab. */
const fishDescribed = (words: ReadonlyMap<string, string>): string =>
  [...words].map(([word, help]) => (help ? `${word}\\t${quoted(help)}` : word)).join(' ');

const fishValueLines = ({ keys, kind, choices }: Value): string =>
  `    case ${keys.map(quoted).join(' ')}
      set -g __frontdesk_kind ${kind}
      set -g __frontdesk_choices ${choices.map(quoted).join(' ')}`;

/** Quotes a text with single quotes, which every shell understands. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
