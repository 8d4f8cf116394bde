import type { Place, Value } from './places.ts';
import { quoted } from './quoted.ts';

/**
 * Reads the line itself, for bash breaks words at `:` and `=`; what stands before such a place is
 * then taken off what is offered. Runs in bash 3.2, which macOS has.
 */
export const bashCompletion = (
  places: readonly Place[],
  values: readonly Value[],
): string => `# frontdesk completion for bash
${COMPLETE}
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
complete -F _frontdesk frontdesk
`;

const COMPLETE = `_frontdesk() {
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

const placeLine = ({ path, commands, flags }: Place): string =>
  `    ${quoted(path)}) commands='${[...commands.keys()].join(' ')}' flags='${[...flags.keys()].join(' ')}' ;;`;

const valueLine = ({ keys, kind, choices }: Value): string =>
  `    ${keys.map(quoted).join(' | ')}) kind=${kind} choices='${choices.join(' ')}' ;;`;
