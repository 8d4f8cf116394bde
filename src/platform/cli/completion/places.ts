import type { Command } from '#core/command.ts';

/** What may follow a sequence of words, with a line of help for each. */
export interface Place {
  readonly path: string;
  readonly commands: ReadonlyMap<string, string>;
  readonly flags: ReadonlyMap<string, string>;
}

/** What a value may be: of an option that stands before it, or an argument of the command. */
export interface Value {
  /** `admin apply --file`, or `restore 1` for the first argument. */
  readonly keys: readonly string[];
  readonly kind: 'file' | 'folder' | 'word' | 'words' | 'anything';
  /** Of a word, or of words between commas. */
  readonly choices: readonly string[];
}

const GLOBAL_FLAGS = [
  ['--json', 'print one JSON value'],
  ['--wide', 'show all columns in full'],
  ['--yes', 'never prompt'],
  ['--help', 'print help'],
] as const;

export function placesOf(commands: readonly Command[]): Place[] {
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

/** Of `-f, --file <file>`: `--file`. */
const longName = (flag: string): string => /--[\w-]+/.exec(flag)?.[0] ?? flag;

export function valuesOf(command: Command): Value[] {
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
