import type { CommandDeclaration } from '#core/command.ts';
import { bashCompletion, fishCompletion, zshCompletion, type Place, type Value } from './shells.ts';

const GLOBAL_FLAGS = [
  ['--json', 'print one JSON value'],
  ['--wide', 'show all columns in full'],
  ['--yes', 'never prompt'],
  ['--help', 'print help'],
] as const;

/** Returns a static script: completion is immediate because it starts no process. */
export function completionScript(
  shell: 'bash' | 'zsh' | 'fish',
  commands: readonly CommandDeclaration[],
): string {
  const print = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell];
  return print(placesOf(commands), commands.flatMap(valuesOf));
}

function placesOf(commands: readonly CommandDeclaration[]): Place[] {
  const places = new Map<string, { commands: Map<string, string>; flags: Map<string, string> }>();
  const placeAt = (path: string) => {
    const place = places.get(path) ?? {
      commands: new Map(),
      flags: new Map<string, string>(GLOBAL_FLAGS),
    };
    places.set(path, place);
    return place;
  };
  placeAt('').flags.set('--version', 'print the version');
  for (const { path, summary, options } of commands) {
    const words = path.split(' ');
    words.forEach((word, index) => {
      const isLast = index === words.length - 1;
      const known = placeAt(words.slice(0, index).join(' ')).commands;
      known.set(word, isLast ? summary : (known.get(word) ?? ''));
    });
    const own = Object.values(options).map(({ flag, help }) => [longName(flag), help] as const);
    placeAt(path).flags = new Map([...own, ...GLOBAL_FLAGS]);
  }
  return [...places].map(([path, place]) => ({ path, ...place }));
}

/** `--file` of `-f, --file <file>`. */
const longName = (flag: string): string => /--[\w-]+/.exec(flag)?.[0] ?? flag;

function valuesOf(command: CommandDeclaration): Value[] {
  const { path, options, arguments: names = [], argumentChoices = {} } = command;
  return [
    ...Object.values(options)
      .filter(({ flag }) => flag.includes('<'))
      .map(({ flag, choices = [], ask }) => ({
        keys: (flag.match(/(?<!\S)--?[\w-]+/g) ?? []).map((name) => `${path} ${name}`),
        kind: kindOf(/<(.+)>/.exec(flag)?.[1] ?? '', choices, ask === 'checkbox'),
        choices,
      })),
    ...names.map((name, index) => {
      const choices = argumentChoices[name] ?? [];
      return { keys: [`${path} ${index + 1}`], kind: kindOf(name, choices, false), choices };
    }),
  ];
}

function kindOf(name: string, choices: readonly string[], isMany: boolean): Value['kind'] {
  if (choices.length > 0) {
    return isMany ? 'words' : 'word';
  }
  return /^file\b/.test(name) ? 'file' : name === 'dir' ? 'folder' : 'anything';
}
