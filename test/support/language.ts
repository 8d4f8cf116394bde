import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { sourceTokens } from './source-tokens.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = ['bench', 'bin', 'docs', 'migrations', 'sdk', 'src', 'test', 'web'];
const BUILT = /^(?:web\/built|sdk\/dist|test\/upgrade\/releases)\//;
/** These name what they reject. */
const SELF = /^test\/(?:language\.test|support\/language)\.ts$/;
/** Texts in languages other than English: there, `he` and `his` are other words. */
const TRANSLATION = /(?:\/|\.)(?:de|es|fr)\.ts$/;

/** Retired words: rejected as a part of an identifier or of a file name. */
const RETIRED_WORDS = new Set(
  `beforehand bell doorbell heed heeds heeding hindrance hold holding holds hoping kit ledger legible
  loose mend mends misfit numbering objection obstacle outlast pace performer performs prove proven
  proves rehearsal rehearse sendable stock stranger strangers survey surveys tallies tally tell tells
  till told tongue turn turns wakes wish wishes`.split(/\s+/),
);
/** Retired names of several words: rejected wherever they stand in an identifier or a file name. */
const RETIRED_NAMES =
  `abandoned-job add-stranger are-strangers ask-before ask-calendar ask-together ask-twilio
  attend-mailbox catch-up exchange-line give-back hand-over hand-to handed-over in-name-of
  in-turns is-not-to-be keep-used keep-working look-around look-up-slot mail-line
  mail-by-line process-sign raise-up-to right-schedule run-again smtp-line steer-campaign take-in
  take-kept take-mail watch-mailbox write-batches write-closing wake-mailing water-mark`.split(
    /\s+/,
  );
/** Retired as whole names; as a part of a longer name they are ordinary words. */
const RETIRED_WHOLE = new Set(['insure', 'misfits', 'peek', 'ring', 'spend', 'touch']);
/** Retired in the name of a type (PascalCase), in any place. */
const RETIRED_IN_TYPES = new Set(
  'asked beforehand closing found given kept means reach told wanted way ways'.split(' '),
);

/** Names that a library or the database defines, each with its reason. */
const ALLOWED_NAMES: Readonly<Record<string, string>> = {
  hasTouch: 'an option of Playwright',
  holding: 'a table, and the migration that creates it',
  highWaterMark: 'an option of streams',
  prove_again: 'a reason of the contract',
  tallies: 'a table',
  tells: 'a risk of agents, named in policies of keys',
  turn_until: 'a column of webhook_subscriptions and campaign_turns',
};

const BANNED_TEXT =
  /\b(?:whoever|whomever|whom|nobody|somebody|he|him|his|himself|who has|one that)\b/gi;
/** "Who moves the event there moves nothing here.": a sentence that begins with its actor unnamed. */
const WHO_ACTS = /(?:^|[.;:] |\*\* )Who (?![^.?]*\?)/g;

/** Texts that the contract or a library defines, each with its reason. */
const ALLOWED_TEXT: readonly { readonly text: RegExp; readonly reason: string }[] = [
  { text: /\buser=nobody\b/g, reason: 'an account of Unix' },
];

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

function isRetired(name: string): boolean {
  const words = wordsOf(name);
  const joined = `-${words.join('-')}`;
  const isType = /^[A-Z][a-z]/.test(name);
  return (
    RETIRED_WHOLE.has(name) ||
    words.some((word) => RETIRED_WORDS.has(word) || (isType && RETIRED_IN_TYPES.has(word))) ||
    RETIRED_NAMES.some((retired) => joined.includes(`-${retired}`))
  );
}

function bannedIn(text: string): string[] {
  const rest = ALLOWED_TEXT.reduce((left, { text: allowed }) => left.replaceAll(allowed, ''), text);
  return [...rest.matchAll(BANNED_TEXT), ...rest.matchAll(WHO_ACTS)].map(([found]) => found.trim());
}

/** Of a released migration only comments can change. */
const MIGRATION = /^migrations\//;

function issuesOfSource(file: string, source: string): string[] {
  const tokens = sourceTokens(source).filter(
    ({ kind }) => kind === 'comment' || !MIGRATION.test(file),
  );
  return tokens.flatMap(({ kind, text, line }) => {
    if (kind === 'identifier') {
      return isRetired(text) && !(text in ALLOWED_NAMES) ? [`${file}:${line} name ${text}`] : [];
    }
    const plain = text
      .replaceAll(/\n\s*(?:\*|\/\/)?\s?/g, ' ')
      .replace(/^(?:\/\*\*?|\/\/|['"`])\s*/, '');
    return TRANSLATION.test(file)
      ? []
      : bannedIn(plain).map((word) => `${file}:${line} text ${word}`);
  });
}

function issuesOf(file: string): string[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const name = basename(file).replace(/(?:\.test|\.support)?\.[a-z]+$/, '');
  const named = isRetired(name) && !MIGRATION.test(file) ? [`${file} file name`] : [];
  if (/\.tsx?$/.test(file)) {
    return [...named, ...issuesOfSource(file, source)];
  }
  const texts = source
    .split('\n')
    .flatMap((text, index) => bannedIn(text).map((word) => `${file}:${index + 1} text ${word}`));
  return [...named, ...texts];
}

/** Returns retired names and banned words as `file:line kind word`. */
export function languageIssues(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:tsx?|md|html)$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...files.sort()]
    .filter((file) => !BUILT.test(file) && !SELF.test(file) && !file.includes('node_modules/'))
    .flatMap(issuesOf);
}
