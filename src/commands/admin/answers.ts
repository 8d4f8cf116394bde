import {
  type OwnedTable,
  findOwner,
  findSubAccount,
  type SubAccountRow,
} from '../../accounts/sub-accounts/sub-account.store.ts';
import { parseRate } from '#core/rate-limit.ts';
import { Fault, UsageFault } from '#core/fault.ts';
import { didYouMean } from '#core/schema/did-you-mean.ts';
import { FORMATS } from '#core/schema/formats.ts';
import { isScope, SCOPES, type Scope } from '#core/scope.ts';
import { jsonText } from '#core/schema/json.ts';
import type { View } from '#core/work.ts';
import { parseDuration } from '#lib/duration.ts';
import { AGENCY } from '#lib/id.ts';
import { allOffers, type Offer } from '../../calendars/offers.ts';
import type { AdminContext } from '../open-admin.ts';

/** The option of commands that work in one sub-account. */
export const subAccountOption = {
  flag: '--sub-account <sub>',
  help: 'ID of the sub-account',
  required: true,
} as const;

/** How many rows most lists have unless `--limit` is given. */
export const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 10_000;

/** The option of lists that can be narrowed to one sub-account. */
export const onlySubAccount = <N extends string>(nouns: N) =>
  ({ flag: '--sub-account <sub>', help: `only ${nouns} of this sub-account` }) as const;

/** The option of lists: `fallback` rows unless given. */
export const limitOption = (fallback = LIMIT_DEFAULT, max = LIMIT_MAX) =>
  ({
    flag: '--limit <n>',
    help: `maximum number of rows (default: ${fallback})`,
    parse: readCount(max),
  }) as const;

/** Returns a parser of texts in a format of the schemas. */
const formatted = (format: string) => (given: string) => {
  const known = FORMATS[format];
  if (!known?.test(given)) {
    throw new UsageFault(`${given || 'nothing'} was given; it ${known?.says}`);
  }
  return given;
};

export const readName = formatted('not-blank');
export const readTimeZone = formatted('time-zone');
export const readCurrency = formatted('currency');
export const readEmail = (given: string): string => formatted('email')(given.trim());
/** Parses the values of an option that may be repeated. */
export const readEmails = (given: string): readonly string[] => [given].flat().map(readEmail);
export const readTime = (given: string): Date => new Date(formatted('date-time')(given));

/** An option whose value is a time. */
export const timeOption = <const F extends string>(flag: F, meaning: string) => ({
  flag,
  help: `${meaning}, ISO 8601`,
  parse: readTime,
});

export function readRate(given: string): string {
  if (!parseRate(given)) {
    throw new UsageFault(`${given} was given; it must be a rate, for example 600/1m or 20/30s`);
  }
  return given;
}

export function readDurationMs(given: string): number {
  const ms = parseDuration(given);
  if (ms === undefined) {
    throw new UsageFault(`${given} was given; it must be a duration, for example 30m, 24h or 7d`);
  }
  return ms;
}

/** Parses comma-separated scopes, or the word `all`. */
export function readScopes(given: string): readonly Scope[] {
  const names = given.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === 'all') {
    return SCOPES;
  }
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0) {
    const listed = unknown.map((name) => `"${name}"`).join(', ');
    throw new UsageFault(
      `unknown scope ${listed}; allowed: all, ${SCOPES.join(', ')}${didYouMean(unknown[0] ?? '', SCOPES)}`,
    );
  }
  return [...new Set(names)] as Scope[];
}

/** Returns a parser of whole numbers from 1 to `max`. */
const readCount = (max: number) => (given: string) => {
  const count = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > max) {
    throw new UsageFault(`${given} was given; it must be a whole number from 1 to ${max}`);
  }
  return count;
};

/** Returns the record. Throws a Fault that names its id, and the command that lists ids, if there is none. */
export function existing<R>(record: R | undefined, noun: string, id: string): R {
  if (record === undefined) {
    const list = LISTS[noun];
    const hint = list ? `; frontdesk admin ${list} shows those that exist` : '';
    throw new Fault('NOT_FOUND', `there is no ${noun} ${id}${hint}`);
  }
  return record;
}

/** The commands that list records. */
const LISTS: Readonly<Record<string, string>> = {
  'API key': 'key list',
  approval: 'approval list',
  campaign: 'campaign list',
  contact: 'contact list',
  delivery: 'delivery list',
  message: 'message list',
  run: 'workflow runs',
  'sub-account': 'sub-account list',
  user: 'user list',
  'webhook subscription': 'webhook list',
  workflow: 'workflow list',
};

type CommandAnswers<T> = { -readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Returns the answers that were given. */
export const given = <T extends object>(answers: T): CommandAnswers<T> =>
  Object.fromEntries(
    Object.entries(answers).filter(([, value]) => value !== undefined),
  ) as CommandAnswers<T>;

/** Returns a sub-account. Throws a Fault if it does not exist or was deleted. */
export async function liveSubAccount(
  { openView, clock }: AdminContext,
  id: string,
): Promise<SubAccountRow> {
  const found = existing(await findSubAccount(openView(AGENCY, clock()), id), 'sub-account', id);
  if (found.deletedAt) {
    throw new Fault('NOT_FOUND', `the sub-account ${id} was deleted`);
  }
  return found;
}

/** Opens a view of a live sub-account. */
export async function viewOf(context: AdminContext, subAccount: string): Promise<View> {
  const { id } = await liveSubAccount(context, subAccount);
  return context.openView(id, context.clock());
}

interface OwnedRecord {
  readonly table: OwnedTable;
  readonly noun: string;
  readonly id: string;
  /** The record must belong to this sub-account. */
  readonly subAccount?: string | undefined;
}

/** Opens a view of the sub-account of a record. Throws a Fault if there is no such record. */
export async function viewOfOwner(
  { openView, clock }: AdminContext,
  { table, noun, id, subAccount }: OwnedRecord,
): Promise<View> {
  const owner = await findOwner(openView(AGENCY, clock()), table, id);
  const isMeant = subAccount === undefined || subAccount.toLowerCase() === owner;
  return openView(existing(isMeant ? owner : undefined, noun, id), clock());
}

/** The option of lists that can be narrowed to one contact. */
export const contactOption = <N extends string>(nouns: N) =>
  ({ flag: '--contact <id>', help: `only ${nouns} of this contact` }) as const;

/** Returns the id of a contact of the view's sub-account. Throws a Fault if there is no such contact. */
export async function knownContact(
  context: AdminContext,
  { subAccountId }: View,
  id: string | undefined,
): Promise<string | undefined> {
  if (id === undefined) {
    return undefined;
  }
  const contact = { table: 'contacts', noun: 'contact', id, subAccount: subAccountId } as const;
  await viewOfOwner(context, contact);
  return id.toLowerCase();
}

/** Returns a record or a list of records as a plain value: it may be PostgreSQL's JSON. */
export const valueOf = (data: unknown): any => JSON.parse(jsonText(data));

/** Finds an appointment type by its key or id. */
export async function knownOffer(view: View, name: string): Promise<Offer> {
  const offers = await allOffers(view);
  const found = offers.find(({ type: { id, key } }) => key === name || id === name.toLowerCase());
  if (!found) {
    const known = offers.map(({ type: { key } }) => key).join(', ') || 'none';
    throw new Fault(
      'NOT_FOUND',
      `there is no appointment type ${name}; the sub-account has ${known}`,
    );
  }
  return found;
}
