import { notFound, orNotFound } from '#core/fault.ts';
import { isoText } from '#core/schema/columns.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Work, View, CachedRead } from '#core/work.ts';
import { isIdInAnyCase } from '#lib/id.ts';
import { SubAccount } from './sub-account.entity.ts';

/** Returns the work's sub-account. Throws `NOT_FOUND` once it is deleted. */
export async function loadSubAccount({ em, subAccountId }: Work): Promise<SubAccount> {
  return orNotFound(
    await em.findOne(SubAccount, { id: subAccountId, deletedAt: null }),
    'sub-account',
  );
}

/** The sub-account was closed while a long job wrote into it. */
export class SubAccountClosed extends Error {
  constructor() {
    super('the sub-account was closed');
  }
}

/** Throws `SubAccountClosed`: each part of a long job calls it first. */
export async function requireOpen({ rows, subAccountId }: Work): Promise<void> {
  const [open] = await rows('select from sub_accounts where id = $1 and deleted_at is null', [
    subAccountId,
  ]);
  if (!open) {
    throw new SubAccountClosed();
  }
}

export interface SubAccountRow {
  readonly id: string;
  readonly name: string;
  readonly locationId: string;
  readonly timezone: string;
  readonly currency: string;
  readonly sandbox: boolean;
  readonly createdAt: string;
  readonly deletedAt: string | null;
}

/** Returns every live sub-account, newest first. */
export const findSubAccounts = (view: View): Promise<SubAccountRow[]> =>
  view.rows(`${SELECT} where deleted_at is null order by created_at desc, id desc`, []);

/** Returns a sub-account, even a deleted one, or undefined for an unknown id. */
export async function findSubAccount(view: View, id: string): Promise<SubAccountRow | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [row] = await view.rows<SubAccountRow>(`${SELECT} where id = $1`, [id]);
  return row;
}

const SELECT = `select id, name, location_id as "locationId", timezone, currency, sandbox,
    ${isoText('created_at')} as "createdAt", ${isoText('deleted_at')} as "deletedAt"
  from sub_accounts`;

/** Tables of records that commands name by id alone, each with the condition that record `r` exists. */
const EXISTS = {
  appointments: 'true',
  campaign_recipients: 'true',
  contacts: 'r.deleted_at is null',
  conversations: 'r.deleted_at is null',
  forms: 'r.deleted_at is null',
  messages: 'true',
  opportunities: 'r.deleted_at is null',
  workflow_runs: 'true',
} as const;

export type OwnedTable = keyof typeof EXISTS;

/** Returns the live sub-account that a record belongs to, wherever in the installation it is. */
export async function findOwner(
  view: View,
  table: OwnedTable,
  id: string,
): Promise<string | undefined> {
  if (!FORMATS['uuid']?.test(id)) {
    return undefined;
  }
  const [owner] = await view.rows<{ id: string }>(ownerIn(table), [id]);
  return owner?.id;
}

const ownerIn = (table: OwnedTable): string => `select a.id
  from sub_accounts a join ${table} r on r.sub_account_id = a.id
  where a.deleted_at is null and ${EXISTS[table]} and r.id = $1`;

/** Returns the sub-account id of a public call in lower case; does not check that it exists. */
export function namedSubAccount(text: string): string {
  if (!isIdInAnyCase(text)) {
    throw notFound('sub-account');
  }
  return text.toLowerCase();
}

/** Texts for the merge fields `{{custom_values.NAME}}`, by name. */
export type CustomValues = Readonly<Record<string, string>>;

export async function customValuesOf(view: View): Promise<CustomValues> {
  const [found] = await view.cached(CUSTOM_VALUES);
  return found?.values ?? {};
}

const CUSTOM_VALUES: CachedRead<{ readonly values: CustomValues }> = {
  tables: ['sub_accounts'],
  text: 'select custom_values as values from sub_accounts where id = $1',
};

/** Returns the sub-account's currency. Once the entity manager has the sub-account, it needs no query. */
export async function currencyOfSubAccount({ em, subAccountId }: Work): Promise<string> {
  return (await em.findOneOrFail(SubAccount, subAccountId)).currency;
}

/** Where a sub-account is and how it writes: its country and the order of its dates follow from these. */
export interface Region {
  readonly timezone: string;
  readonly locale: string;
}

/** Returns the sub-account's time zone and locale, from the cache. */
export async function regionOfSubAccount(view: View): Promise<Region> {
  const [region] = await view.cached(REGION);
  return region ?? { timezone: 'UTC', locale: 'en' };
}

const REGION: CachedRead<Region> = {
  tables: ['sub_accounts'],
  text: 'select timezone, locale from sub_accounts where id = $1',
};

/** Returns the sub-account's time zone, from the cache. */
export const zoneOfSubAccount = async (view: View): Promise<string> =>
  (await regionOfSubAccount(view)).timezone;
