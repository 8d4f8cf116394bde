import type { Client } from 'pg';
import { personalTables } from '../../src/privacy/personal-data.ts';
import { tablesToFill, type Column, type Table } from '../support/populate/columns.ts';
import { KEPT_TEXTS } from './kept-texts.ts';

/** A person whose name, addresses and words appear nowhere else. */
export interface Somebody {
  readonly id: string;
  readonly email: string;
  readonly phone: string;
  readonly name: readonly [string, string];
  /** A word in everything that the person wrote. */
  readonly marker: string;
}

export const newSomebody = (id: string): Somebody => {
  const word = crypto
    .randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[+digit] ?? '');
  return {
    id,
    email: `zq.${word}@example.net`,
    phone: '+4915799912345',
    name: [`Qz${word}`, `Xy${word}`],
    marker: `marker${word}`,
  };
};

/** What a scan looks for. */
export const needlesOf = ({ email, phone, name, marker }: Somebody): readonly string[] => [
  email,
  phone,
  ...name,
  marker,
];

/** Values that the program chooses from a list, or reads as something other than text. */
const NOT_FREE = new Set([
  'agent_approvals.call_hash',
  'agent_calls.call_hash',
  'campaign_recipients.address',
  'contacts.lifecycle_stage',
  'conversations.channel',
  'idempotency_keys.body_hash',
  'idempotency_keys.key',
  'idempotency_keys.path',
  'message_receipts.external_id',
  'messages.channel',
  'messages.external_id',
]);

const FIXED: Readonly<Record<string, (somebody: Somebody) => unknown>> = {
  // Reasons and places of the program's own; a stored file has none.
  'files.refused': () => undefined,
  'files.source': () => undefined,
  'contact_emails.email': ({ email }) => email,
  'contacts.first_name': ({ name }) => name[0],
  'contacts.last_name': ({ name }) => name[1],
  'contacts.email': ({ email }) => email,
  'contacts.phone': ({ phone }) => phone,
  'contacts.addresses': ({ email, phone }) => [email, phone],
  'contacts.additional_emails': () => [],
  'contacts.additional_phones': () => [],
  'contacts.dnd': () => '{}',
  'opportunities.status': () => 'lost',
  'opportunities.closed_at': () => 1,
  'opt_outs.address': ({ email }) => email,
  'opt_outs.channel': () => 'email',
  'opt_outs.reason': () => 'unsubscribe',
  'paid_invoices.email': ({ email }) => email,
};

function valueOf(table: string, { name, type, allowed }: Column, somebody: Somebody): unknown {
  const place = `${table}.${name}`;
  const words = needlesOf(somebody).join(' ');
  const isKept = KEPT_TEXTS[table]?.includes(name) === true;
  const isFree = allowed.length === 0 && !isKept && !NOT_FREE.has(place);
  if (place in FIXED) {
    return FIXED[place]?.(somebody);
  }
  if (type === 'text' && isFree) {
    return `${table} ${name} ${words}`;
  }
  if (type === 'text[]' && isFree) {
    return [words];
  }
  return /^jsonb?$/.test(type) ? JSON.stringify({ note: words, deep: [{ words }] }) : undefined;
}

/** The rows of the first contact of a populated sub-account. */
const OWN: Readonly<Record<string, string>> = {
  contacts: 'id = $2',
  messages: 'conversation_id in (select id from conversations where contact_id = $2)',
  drafts: 'conversation_id in (select id from conversations where contact_id = $2)',
  chat_sessions: 'conversation_id in (select id from conversations where contact_id = $2)',
  workflow_log: 'run_id in (select id from workflow_runs where contact_id = $2)',
};

/** Tables without a reference to contacts, whose first row becomes the person's. */
const FIRST = `(sub_account_id, ctid) = (
  select sub_account_id, min(ctid) from #table where sub_account_id = $1 group by 1)`;

/**
 * Makes the first contact of a populated sub-account this person, and writes their name, addresses and
 * marker into every text of every row about them. Returns the tables that have such a row.
 */
export async function makeAppear(
  client: Client,
  subAccountId: string,
  somebody: Somebody,
): Promise<readonly string[]> {
  const known = new Set(personalTables.map(({ table }) => table));
  const tables = (await tablesToFill(client)).filter(({ name }) => known.has(name));
  for (const table of tables) {
    await makeRowAppear(client, subAccountId, table, somebody);
  }
  const receipt = `update message_receipts set external_id = (select external_id from messages m
    join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
    where v.contact_id = $1 limit 1) where error_message like '%' || $2 || '%'`;
  await client.query(receipt, [somebody.id, somebody.marker]);
  return tables.map(({ name }) => name);
}

async function makeRowAppear(
  client: Client,
  subAccountId: string,
  { name, columns }: Table,
  somebody: Somebody,
): Promise<void> {
  const hasContact = columns.some((column) => column.name === 'contact_id');
  const isReferring = hasContact && !['events', 'outbox', 'engagement_marks'].includes(name);
  const rows = OWN[name] ?? (isReferring ? 'contact_id = $2' : FIRST.replace('#table', name));
  const values = columns.flatMap((column) => {
    const value = valueOf(name, column, somebody);
    return value === undefined ? [] : [[column.name, value] as const];
  });
  const linked = hasContact && !isReferring ? [['contact_id', somebody.id] as const] : [];
  const all = [...values, ...linked];
  const typeOf = (of: string) => columns.find((column) => column.name === of)?.type ?? 'text';
  const set = all.map(([column], index) => `${column} = $${index + 3}::${typeOf(column)}`);
  if (set.length > 0) {
    await client.query(
      `update ${name} set ${set.join(', ')}
       where sub_account_id = $1 and $2::uuid is not null and ${rows}`,
      [subAccountId, somebody.id, ...all.map(([, value]) => value)],
    );
  }
}

/** Returns the tables of every schema with a row that contains one of the words, in any letter case. */
export async function tablesWith(
  client: Client,
  words: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
       and n.nspname !~ '^pg_' order by 1`,
  );
  const found: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const { rows } = await client.query<{ word: string }>(
      `select distinct word from unnest($1::text[]) as word, ${name} t
       where t::text ilike '%' || word || '%'
         or t::text ilike '%' || encode(convert_to(word, 'UTF8'), 'hex') || '%'`,
      [words],
    );
    if (rows.length > 0) {
      found[name.replace(/^public\./, '')] = rows.map(({ word }) => word).sort();
    }
  }
  return found;
}
