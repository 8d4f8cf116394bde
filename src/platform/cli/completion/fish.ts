import type { Place, Value } from './places.ts';
import { quoted } from './quoted.ts';

/** One function is asked once per Tab; a condition per word would be run hundreds of times. */
export const fishCompletion = (
  places: readonly Place[],
  values: readonly Value[],
): string => `# frontdesk completion for fish
function __frontdesk_place
  switch $argv[1]
${places.map(placeLines).join('\n')}
    case '*'
      return 1
  end
  return 0
end
function __frontdesk_value
  switch $argv[1]
${values.map(valueLines).join('\n')}
    case '*'
      return 1
  end
  return 0
end
${COMPLETE}
complete -c frontdesk -f -a '(__frontdesk_complete)'
`;

const COMPLETE = `function __frontdesk_complete
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

const placeLines = ({ path, commands, flags }: Place): string =>
  `    case ${quoted(path)}
      set -g __frontdesk_commands ${described(commands)}
      set -g __frontdesk_flags ${described(flags)}`;

/** Fish splits the word from its help at a tab. */
const described = (words: ReadonlyMap<string, string>): string =>
  [...words].map(([word, help]) => (help ? `${word}\\t${quoted(help)}` : word)).join(' ');

const valueLines = ({ keys, kind, choices }: Value): string =>
  `    case ${keys.map(quoted).join(' ')}
      set -g __frontdesk_kind ${kind}
      set -g __frontdesk_choices ${choices.map(quoted).join(' ')}`;
