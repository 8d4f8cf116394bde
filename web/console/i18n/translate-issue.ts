import { enIssues } from './en/issues.ts';
import type { IssueMessages } from './message-types.ts';

/** What is wrong, what was given, and an example: `must be at most 10, not 12; for example 5`. */
const PARTS = /^(?<wrong>.+?)(?:, not (?<given>.*?))?(?:; (?:for example|did you mean) .*)?$/;
const ANY = '\u0000';

/** Returns in another language what the server says about a value; in English if it is not known. */
export function translateIssue(message: string, issues: IssueMessages): string {
  const whole = textOf(message, issues);
  if (whole !== undefined) {
    return whole;
  }
  const { wrong = message, given } = PARTS.exec(message)?.groups ?? {};
  const text = translated(wrong, issues);
  return text === undefined ? message : text + (given === undefined ? '' : issues.butIs(given));
}

function translated(wrong: string, issues: IssueMessages): string | undefined {
  const text = textOf(wrong, issues);
  if (text !== undefined) {
    return text;
  }
  for (const key of keysOf(enIssues.limits)) {
    const value = valueIn(wrong, enIssues.limits[key]);
    if (value !== undefined) {
      return issues.limits[key](value);
    }
  }
  return undefined;
}

function textOf(wrong: string, { texts }: IssueMessages): string | undefined {
  const key = keysOf(enIssues.texts).find((one) => enIssues.texts[one] === wrong);
  return key && texts[key];
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
