import { enIssues } from './en/issues.ts';
import type { IssueMessages } from './message-types.ts';

/** What is wrong, what was given, and an example: `must be at most 10, not 12; for example 5`. */
const PARTS = /^(?<wrong>.+?)(?:, not (?<given>.*?))?(?:; (?:for example|did you mean) .*)?$/;
const ANY = '\u0000';

/** Returns in another language what the server says about a value; in English if it is not known. */
export function translateIssue(message: string, issues: IssueMessages): string {
  const { wrong = message, given } = PARTS.exec(message)?.groups ?? {};
  const text = translated(wrong, issues);
  return text === undefined ? message : text + (given === undefined ? '' : issues.butIs(given));
}

function translated(wrong: string, { texts, limits }: IssueMessages): string | undefined {
  const { texts: englishTexts, limits: englishLimits } = enIssues;
  const text = keysOf(englishTexts).find((key) => englishTexts[key] === wrong);
  if (text) {
    return texts[text];
  }
  for (const key of keysOf(englishLimits)) {
    const value = valueIn(wrong, englishLimits[key]);
    if (value !== undefined) {
      return limits[key](value);
    }
  }
  return undefined;
}

const keysOf = <T extends object>(record: T) => Object.keys(record) as (keyof T)[];

/** Returns the value that a sentence has. The singular is a sentence of its own. */
function valueIn(sentence: string, english: (value: string) => string): string | undefined {
  if (english('1') === sentence) {
    return '1';
  }
  const [before = '', after = ''] = english(ANY).split(ANY);
  return sentence.startsWith(before) && sentence.endsWith(after)
    ? sentence.slice(before.length, sentence.length - after.length)
    : undefined;
}
