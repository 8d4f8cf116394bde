/** How the model reads: words, rows of results, and what descriptions say about arguments. */

export type Json = Record<string, any>;

/** A tool, or an action with the same parts, as the protocol lists it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Json;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly content: Json;
}

/** What the model can do besides thinking. */
export interface World {
  readonly tools: readonly ListedTool[];
  call(name: string, given: Json): Promise<ToolAnswer>;
}

/** What a user says: a task, and facts under ordinary names. */
export interface Said {
  readonly task: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** How a step ends, and what the user hears. */
export interface Ended {
  readonly how: 'done' | 'asks' | 'tells' | 'waits' | 'stuck';
  readonly text: string;
  /** The data of the last result. */
  readonly data?: any;
  /** The tools that were called, in order. */
  readonly calls: readonly string[];
}

/** Ends a step early: the user has to say something, or is given something. */
interface Stop {
  readonly stop: Pick<Ended, 'how' | 'text'>;
}

export function stopWith(how: Ended['how'], text: string): never {
  throw Object.assign(new Error(text), { stop: { how, text } } satisfies Stop);
}

/** Returns how a step ended early. Throws other errors. */
export function stopOf(error: unknown): Stop['stop'] {
  if (error instanceof Error && 'stop' in error) {
    return (error as unknown as Stop).stop;
  }
  throw error;
}

const STOP = new Set(
  'a an the of to for and or in on at with my our me i we is it that this from by as be what are another all'.split(
    ' ',
  ),
);

const stem = (word: string): string => word.replace(/(?:ies|ing|es|ed|s|e|y)$/, '') || word;
export const split = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.-]/g, ' ')
    .toLowerCase();
export const wordsOf = (text: string): string[] =>
  (split(text).match(/[a-z\d]+/g) ?? []).filter((word) => !STOP.has(word)).map(stem);

export const overlap = (wanted: readonly string[], text: string): number => {
  const there = new Set(wordsOf(text));
  return new Set(wanted.filter((word) => there.has(word))).size;
};

const NAME_WEIGHT = 3;

const fit = (wanted: readonly string[], { name, description = '' }: ListedTool): number =>
  overlap(wanted, name) * NAME_WEIGHT + overlap(wanted, description);

/** What a tool is for. How to get the arguments from other actions is another matter. */
export const textOf = ({ name, description = '' }: ListedTool): string =>
  [name, ...description.split('. ').filter((one) => !one.includes('run_action'))].join(' ');

export const best = (
  tools: readonly ListedTool[],
  wanted: readonly string[],
): ListedTool | undefined =>
  tools.toSorted((one, other) => fit(wanted, other) - fit(wanted, one))[0];

/** Ids and links contain any letters: a UUID with `ada` in it does not name Ada. */
const RANDOM = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|https?:[^\s"]+/g;

/** Whether some value in a row is what the user named. */
export function names(row: unknown, hint: string): boolean {
  const text = Object.values((row ?? {}) as Json)
    .map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)))
    .join(' ')
    .toLowerCase()
    .replaceAll(RANDOM, ' ');
  return hint
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Whether a row starts at a time of day. */
export const startsAt = (row: Json, time: string): boolean =>
  Object.entries(row).some(([name, value]) => /start/i.test(name) && String(value).includes(time));

/** `newStartTime` is a start time. */
export const plain = (name: string): string =>
  name.replace(/^new([A-Z])/, (_, letter: string) => letter.toLowerCase());

/** All objects in a value, outermost first: stages are in pipelines. */
export function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) {
    return value.flatMap(objectsIn);
  }
  return typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(objectsIn)]
    : [];
}

/** Returns what the texts of all tools teach. */
export function readTexts(tools: readonly ListedTool[]) {
  const allTexts = tools.map(({ description = '' }) => description).join('\n');
  /** "deals (opportunities)" in a description says that both are one. */
  const synonyms = new Map(
    [...allTexts.matchAll(/(\w+) \((\w+)\)/g)].flatMap(([, one = '', other = '']) => [
      [stem(one), stem(other)] as const,
      [stem(other), stem(one)] as const,
    ]),
  );
  const variantsOf = (word: string): string[] => [word, synonyms.get(word) ?? word];

  /** Whether a text is about what the user wants done, and with what: the first and the last word. */
  const isAbout = (task: string, text: string): boolean => {
    const words = wordsOf(task.split(':')[0] ?? '');
    return [words.slice(0, 1), words.slice(-1)].every(
      (part) => overlap(part.flatMap(variantsOf), text) > 0,
    );
  };

  /** Arguments that the text wants from another tool, for what the user wants. */
  const wantedFrom = (tool: string, property: string, wanted: readonly string[]): boolean =>
    sentencesOf(tool).some(
      (sentence) =>
        sentence.includes(property) &&
        overlap(wanted, sentence) > 0 &&
        tools.some(({ name }) => name !== tool && sentence.includes(name)),
    );

  const sentencesOf = (tool: string): string[] =>
    (tools.find(({ name }) => name === tool)?.description ?? '').split(/\.\s*/);

  /** "Give one, or another": whether something is given that stands for the argument. */
  const isCovered = (tool: string, property: string, given: Json): boolean =>
    sentencesOf(tool)
      .filter((sentence) => /\b(?:give|name|identify)\b/i.test(sentence))
      .some((sentence) => {
        const choices = sentence.split(/,? or /).map((choice): string[] => choice.split(/\W+/));
        const own = choices.findIndex((choice) => choice.includes(property));
        return choices.slice(0, Math.max(0, own)).some((one) => one.some((name) => name in given));
      });

  return { allTexts, synonyms, variantsOf, isAbout, wantedFrom, isCovered };
}
