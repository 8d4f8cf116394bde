import { ownerMessages } from './owner-messages.ts';

/** Commands are words, such as `admin contact delete`; endpoints are `contacts.delete`. */
const SEPARATOR = /[.\s]/;

/**
 * Returns an operation of the audit trail in words: `Contact: deleted`. Operations without words, such as
 * commands of a terminal, are shown by their names.
 */
export function operationText(operation: string): string {
  const { nouns, verbs } = ownerMessages().audit;
  const [noun = '', verb = ''] = operation.split(SEPARATOR);
  const thing = wordFor(nouns, noun);
  const event = wordFor(verbs, operation) ?? wordFor(verbs, verb);
  return thing === undefined || event === undefined ? operation : `${thing}: ${event}`;
}

const wordFor = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;
