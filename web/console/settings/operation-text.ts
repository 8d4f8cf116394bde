import type { OwnerMessages } from '../i18n/message-types.ts';

type Words = OwnerMessages['audit'];

interface Operation {
  readonly operation: string;
  readonly actorKind: string;
}

/** Endpoints are `contacts.delete`. */
const SEPARATOR = '.';

/**
 * Returns an operation of the audit trail in words: `Contact: deleted`. Jobs have a text of their own.
 * Commands of a terminal are shown as they are typed.
 */
export function operationText({ operation, actorKind }: Operation, words: Words): string {
  if (actorKind === 'cli') {
    return `frontdesk ${operation}`;
  }
  const automatic = wordFor(words.automatic, operation);
  const [noun = '', verb = ''] = operation.split(SEPARATOR);
  const thing = wordFor(words.nouns, noun);
  const event = wordFor(words.verbs, operation) ?? wordFor(words.verbs, verb);
  return (
    automatic ??
    (thing === undefined || event === undefined ? operation : words.title(thing, event))
  );
}

interface ActorOfRow extends Operation {
  readonly actor: string;
  readonly keyPrefix: string | null;
}

/** Returns who made a change: an email address, a key, a program, Frontdesk itself or a customer. */
export function actorText(
  { operation, actorKind, actor, keyPrefix }: ActorOfRow,
  { actors: { automatic, customer, program } }: Words,
): string {
  if (actorKind === 'job') {
    return automatic;
  }
  if (actorKind === 'visitor' && actor === 'public') {
    return operation.startsWith('oauth.') ? program : customer;
  }
  return keyPrefix ?? actor;
}

const wordFor = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;
