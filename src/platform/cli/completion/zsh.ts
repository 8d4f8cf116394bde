import type { Place, Value } from './places.ts';
import { quoted } from './quoted.ts';

/** Both to be sourced and to lie in a folder of `fpath`, where its first use is a call. */
export const zshCompletion = (
  places: readonly Place[],
  values: readonly Value[],
): string => `#compdef frontdesk
_frontdesk_place() {
  case "$1" in
${places.map(placeLine).join('\n')}
    *) return 1 ;;
  esac
}
_frontdesk_value() {
  case "$1" in
${values.map(valueLine).join('\n')}
    *) return 1 ;;
  esac
}
${COMPLETE}
`;

const COMPLETE = `_frontdesk() {
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

const placeLine = ({ path, commands, flags }: Place): string =>
  `    ${quoted(path)}) commands=(${described(commands)}) flags=(${described(flags)}) ;;`;

const described = (words: ReadonlyMap<string, string>): string =>
  [...words].map(([word, help]) => quoted(help ? `${word}:${help}` : word)).join(' ');

const valueLine = ({ keys, kind, choices }: Value): string =>
  `    ${keys.map(quoted).join(' | ')}) kind=${kind} choices=(${choices.map(quoted).join(' ')}) ;;`;
