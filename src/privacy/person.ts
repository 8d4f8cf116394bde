import { Fault, notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { normalised } from '../contacts/claim-addresses.ts';
import { allRows, personalTables } from './personal-data.ts';
import { bound, type Bindings } from './bound.ts';
import { addressPatterns } from './address-pattern.ts';

/** A person, as everything that is stored about them is found. */
export interface Person {
  /** The contact, those merged into it, and deleted ones with the same email address. */
  readonly contactIds: readonly string[];
  readonly liveIds: readonly string[];
  /** Normalised, without those that another contact has, too. */
  readonly addresses: readonly string[];
  /** The number of addresses that another contact has, too. */
  readonly shared: number;
  readonly names: readonly string[];
  /** The ids of the person's records. */
  readonly records: readonly string[];
}

export type PersonKey = { readonly contactId: string } | { readonly email: string };

/**
 * Finds a person by contact or email address. Throws NOT_FOUND if nothing is known of the contact. With
 * `texts`, form submissions without a contact are read for their records, too.
 */
export async function findPerson(
  view: View,
  key: PersonKey,
  { texts = true }: { readonly texts?: boolean } = {},
): Promise<Person> {
  const byEmail = 'email' in key ? normalised(key.email) : undefined;
  const contacts = await contactsOf(view, key, byEmail);
  if (contacts.length === 0 && byEmail === undefined) {
    throw notFound('contact');
  }
  const contactIds = contacts.map(({ id }) => id);
  const all = contacts.flatMap(({ addresses }) => addresses);
  const known = [...new Set(byEmail === undefined ? all : [byEmail, ...all])];
  const shared = await sharedAddresses(view, known, contactIds);
  const addresses = known.filter((address) => !shared.has(address));
  const found = {
    contactIds,
    liveIds: contacts.flatMap(({ id, isLive }) => (isLive ? [id] : [])),
    addresses,
    shared: shared.size,
    names: contacts.map(({ name }) => name),
  };
  return { ...found, records: await recordsOf(view, { ...found, records: [] }, texts) };
}

/**
 * Returns an erased person with the records that were written since, and without what a contact of today has
 * in common with them.
 */
export async function refreshed(view: View, person: Person): Promise<Person> {
  const current = {
    ...person,
    liveIds: [],
    addresses: await ownAddresses(view, person),
    names: [],
  };
  const since = await recordsOf(view, current, false);
  return { ...current, records: [...new Set([...person.records, ...since])] };
}

/** Returns a person's addresses without those that a contact of today has, too. */
export async function ownAddresses(
  view: View,
  { addresses, contactIds }: Pick<Person, 'addresses' | 'contactIds'>,
): Promise<string[]> {
  const shared = await sharedAddresses(view, addresses, contactIds);
  return addresses.filter((address) => !shared.has(address));
}

/** Returns what the conditions of `personalTables` refer to. */
export const bindingsOf = (
  { subAccountId }: View,
  { contactIds, addresses, records }: Person,
): Bindings => ({
  sub: subAccountId,
  contacts: contactIds,
  addresses,
  records,
  patterns: addressPatterns(addresses),
});

interface ContactRow {
  readonly id: string;
  readonly name: string;
  readonly addresses: readonly string[];
  readonly isLive: boolean;
}

async function contactsOf(
  view: View,
  key: PersonKey,
  byEmail: string | undefined,
): Promise<ContactRow[]> {
  const contactId = 'contactId' in key ? key.contactId : null;
  return view.rows<ContactRow>(FIND, [view.subAccountId, contactId, byEmail ?? null]);
}

/** A contact that was merged stands for the one it was merged into. */
const FIND = `with named as (
    select coalesce(merged_into, id) as id from contacts
    where sub_account_id = $1 and (id = $2::uuid or $3::text = any(addresses))
  ), family as (
    select c.id, c.addresses from contacts c where c.sub_account_id = $1
      and (c.id in (select id from named) or c.merged_into in (select id from named))
  )
  select c.id, trim(c.first_name || ' ' || c.last_name) as name, c.addresses,
    c.deleted_at is null as "isLive"
  from contacts c
  where c.sub_account_id = $1 and (
    c.id in (select id from family)
    or c.deleted_at is not null and c.addresses && array(
      select address from family, unnest(addresses) as address where address like '%@%')
  ) order by c.id`;

async function sharedAddresses(
  view: View,
  addresses: readonly string[],
  contactIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await view.rows<{ address: string }>(SHARED, [
    view.subAccountId,
    addresses,
    contactIds,
  ]);
  return new Set(rows.map(({ address }) => address));
}

const SHARED = `select distinct address from contacts c, unnest(c.addresses) as address
  where c.sub_account_id = $1 and c.deleted_at is null and c.addresses && $2::text[]
    and address = any($2) and c.id <> all($3::uuid[])`;

/** Tables whose rows have no id of their own. */
const WITHOUT_ID = new Set(['list_members']);

async function recordsOf(view: View, person: Person, texts: boolean): Promise<string[]> {
  const parts = personalTables
    .filter(({ table, export: name }) => name !== undefined && !WITHOUT_ID.has(table))
    .map((one) => {
      const rows = texts ? allRows(one) : (one.rows ?? 'false');
      return `select t.id::text as id from ${one.table} t where ${rows}`;
    });
  const { text, values } = bound(parts.join(' union all '), bindingsOf(view, person));
  const rows = await view.rows<{ id: string }>(text, values);
  return rows.map(({ id }) => id);
}

/** Throws a Fault if nothing is stored about the person. */
export function requireKnown({ contactIds, records }: Person, email: string): void {
  if (contactIds.length === 0 && records.length === 0) {
    throw new Fault('NOT_FOUND', `nothing is stored about ${email}`);
  }
}
