import { deIssues } from './de/issues.ts';
import { enIssues } from './en/issues.ts';
import { esIssues } from './es/issues.ts';
import { frIssues } from './fr/issues.ts';
import { currentLocale, type Locale } from './locale.ts';
import type { IssueMessages } from './message-types.ts';
import { translateIssue } from './translate-issue.ts';

/** Loaded with the forms: the first screen stays small. */
const TEXTS: Readonly<Record<Locale, IssueMessages>> = {
  en: enIssues,
  de: deIssues,
  fr: frIssues,
  es: esIssues,
};

/** Returns in the user's language what the server says about a value. */
export const issueText = (message: string): string =>
  translateIssue(message, TEXTS[currentLocale()]);
