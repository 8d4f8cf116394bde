import { UUID } from '#lib/id.ts';
import { ERASED } from './address-pattern.ts';

/**
 * A table with data of contacts: the one declaration that erasing, exporting and their tests derive
 * from. `t` is a row; `:contacts` are the ids of the person's contacts, `:records` those and the ids of
 * their records, `:addresses` normalised addresses, `:patterns` find them in texts.
 */
export interface PersonalTable {
  readonly table: string;
  /** A condition: the row is about the person. It is found by ids or addresses, without reading texts. */
  readonly rows?: string;
  /** The same for rows that are found by reading all rows or their texts: in batches (`eraseMentions`). */
  readonly rowsInBatches?: string;
  /** Rows are deleted, or get these values (SQL by column), or are handled by code of their own. */
  readonly erase: 'delete' | 'own' | Readonly<Record<string, string>>;
  /** Texts in rows about others, in which the person's addresses are replaced. */
  readonly texts?: readonly string[];
  /** The name in an export; left out of exports without one. */
  readonly export?: string;
}

/** Returns a condition for all rows about the person. */
export const allRows = ({ rows, rowsInBatches }: PersonalTable): string =>
  [rows, rowsInBatches].flatMap((one) => (one === undefined ? [] : [`(${one})`])).join(' or ');

const sub = 't.sub_account_id = :sub';
const ofContact = `${sub} and t.contact_id = any(:contacts)`;
/**
 * Ids are arrays: with joins or `in`, PostgreSQL would compare all rows of a sub-account that its statistics do
 * not know with each other.
 */
const THREADS = `any(array(select id from conversations where sub_account_id = :sub
  and contact_id = any(:contacts)))`;
const ofThread = `${sub} and t.conversation_id = ${THREADS}`;
const text = `'${ERASED}'`;

/**
 * A JSON or text column that mentions one of the person's records or addresses. `is true` keeps the ids in a
 * hash table: as an array, 70,000 of them took seconds to plan in each statement.
 */
const mentions = (column: string): string => `(t.${column}::text ~* any(:patterns) or exists (
  select from regexp_matches(t.${column}::text, '${UUID}', 'g')
    as found where (found[1] in (select unnest(:records))) is true))`;

/** The request or the response of a delivery mentions the person. */
const NAMED_IN_DELIVERY = `(${mentions('sent')} or ${mentions('response_body')})`;

/** In this order: rows are found by the tables below them. */
export const personalTables: readonly PersonalTable[] = [
  {
    table: 'message_receipts',
    rows: `${sub} and t.external_id = any(array(select m.external_id from messages m
      where m.sub_account_id = :sub and m.conversation_id = ${THREADS}))`,
    erase: 'delete',
    texts: ['error_message'],
  },
  { table: 'drafts', rows: ofThread, erase: 'delete', texts: ['body_text', 'subject'] },
  { table: 'presences', rows: ofThread, erase: 'delete' },
  {
    // A trigger queues the removal of their contents.
    table: 'files',
    rows: `${sub} and (
      t.message_id = any(array(select m.id from messages m
        where m.sub_account_id = :sub and m.conversation_id = ${THREADS}))
      or t.session_id = any(array(select c.id from chat_sessions c
        where c.sub_account_id = :sub and c.conversation_id = ${THREADS}))
      or t.submission_id = any(array(select s.id from form_submissions s
        where s.sub_account_id = :sub and s.contact_id = any(:contacts))))`,
    rowsInBatches: `${sub} and exists (select from form_submissions s
      where s.sub_account_id = :sub and s.id = t.submission_id and s.contact_id is null
        and s.fields::text ~* any(:patterns))`,
    erase: 'delete',
    texts: ['name'],
    export: 'files',
  },
  { table: 'chat_sessions', rows: ofThread, erase: 'delete', export: 'chat-sessions' },
  {
    table: 'messages',
    rows: ofThread,
    erase: 'delete',
    texts: ['body_text', 'body_html', 'subject', 'from_address', 'to_address', 'error_message'],
    export: 'messages',
  },
  {
    table: 'conversations',
    rows: ofContact,
    erase: { subject: 'null' },
    texts: ['subject'],
    export: 'conversations',
  },
  {
    table: 'appointments',
    rows: ofContact,
    erase: { title: 'null', notes: 'null', cancel_reason: 'null' },
    texts: ['title', 'notes', 'cancel_reason'],
    export: 'appointments',
  },
  {
    table: 'waiting_offers',
    rows: `${sub} and t.entry_id in (select id from waiting_entries where sub_account_id = :sub
      and contact_id = any(:contacts))`,
    erase: 'delete',
  },
  { table: 'waiting_entries', rows: ofContact, erase: 'delete', export: 'waiting-list' },
  {
    table: 'tasks',
    rows: `${sub} and (t.contact_id = any(:contacts) or t.deal_id in (
      select id from opportunities where sub_account_id = :sub and contact_id = any(:contacts)))`,
    erase: { title: text, description: 'null' },
    texts: ['title', 'description'],
    export: 'tasks',
  },
  {
    table: 'opportunities',
    rows: ofContact,
    erase: {
      name: text,
      source: 'null',
      lost_reason: 'null',
      tags: `'{}'`,
      custom_fields: `'{}'`,
    },
    texts: ['name', 'source', 'lost_reason', 'custom_fields'],
    export: 'opportunities',
  },
  { table: 'estimates', rows: ofContact, erase: 'delete', export: 'estimates' },
  {
    table: 'form_submissions',
    rows: ofContact,
    rowsInBatches: `${sub} and t.contact_id is null and t.fields::text ~* any(:patterns)`,
    erase: { fields: `'{}'`, page_url: 'null' },
    texts: ['fields', 'page_url'],
    export: 'form-submissions',
  },
  {
    table: 'paid_invoices',
    rows: `${sub} and (t.contact_id = any(:contacts) or lower(t.email) = any(:addresses))`,
    erase: { email: 'null' },
    export: 'invoices',
  },
  {
    table: 'campaign_recipients',
    rows: ofContact,
    // The address is unique within its campaign.
    erase: {
      email: text,
      address: `'erased:' || t.id::text`,
      error_message: 'null',
      external_id: 'null',
    },
    texts: ['error_message'],
    export: 'campaign-mails',
  },
  { table: 'list_members', rows: ofContact, erase: 'delete', export: 'lists' },
  {
    table: 'workflow_log',
    rows: `${sub} and t.run_id = any(array(select id from workflow_runs
      where sub_account_id = :sub and contact_id = any(:contacts)))`,
    erase: { detail: 'null' },
    texts: ['detail'],
  },
  {
    table: 'workflow_runs',
    rows: ofContact,
    erase: { data: `'{}'`, error: 'null' },
    texts: ['data', 'error'],
    export: 'workflow-runs',
  },
  { table: 'engagement_marks', rows: ofContact, erase: 'delete' },
  { table: 'engagement_scores', rows: ofContact, erase: 'delete' },
  {
    table: 'idempotency_keys',
    rowsInBatches: `${sub} and (${mentions('path')} or ${mentions('body')})`,
    erase: 'delete',
  },
  {
    table: 'agent_calls',
    rowsInBatches: `${sub} and (t.records::text[] && :records or ${mentions('response')})`,
    erase: 'delete',
  },
  {
    table: 'agent_approvals',
    rowsInBatches: `${sub} and (${mentions('arguments')} or ${mentions('summary')} or ${mentions('response')})`,
    erase: 'delete',
  },
  {
    table: 'contact_imports',
    rowsInBatches: `${sub} and (${mentions('result')} or ${mentions('error')})`,
    erase: 'delete',
  },
  { table: 'contact_views', rowsInBatches: `${sub} and ${mentions('filter')}`, erase: 'delete' },
  {
    table: 'contact_bulk_changes',
    rowsInBatches: `${sub} and ${mentions('selection')}`,
    // A running change goes on with the other contacts that it names.
    erase: {
      selection: `case when jsonb_exists(t.selection, 'contactIds')
        then jsonb_set(t.selection, '{contactIds}',
          (t.selection -> 'contactIds') - :contacts::text[])
        else '{"contactIds": []}' end`,
      change: `case when t.status = 'running' and not ${mentions('change')} then t.change else '{}' end`,
      error: 'null',
    },
  },
  // Entries stay: they name users and keys, and records by their id.
  {
    table: 'audit_entries',
    rowsInBatches: `${sub} and t.changes is not null
      and (t.record_id = any(:records) or ${mentions('changes')})`,
    erase: { changes: 'null' },
  },
  // Receivers keep their place in the feed: events stay, with ids, times and numbers only.
  {
    table: 'events',
    rowsInBatches: `${sub} and (t.contact_id = any(:contacts)
      or t.contact_id is null and ${mentions('data')})`,
    erase: 'own',
    texts: ['data'],
  },
  // They are published before: changing them here would keep the publisher of all sub-accounts waiting.
  { table: 'outbox', erase: 'own' },
  {
    table: 'webhook_deliveries',
    // Responses may repeat what was sent. Deliveries of events that are gone cannot be told apart, but
    // those of tests, which have no event, are about no contact.
    rowsInBatches: `${sub} and (t.response_body is not null or t.sent is not null) and coalesce((
      select case when e.contact_id is null then ${NAMED_IN_DELIVERY}
        else e.contact_id = any(:contacts) end
      from events e where e.sub_account_id = :sub and e.id = t.event_id
    ), t.event <> 'webhook.test' or ${NAMED_IN_DELIVERY}, false)`,
    // Where and when the request was sent is not about the person, unless the address is in it.
    erase: {
      response_body: 'null',
      sent: `case when (t.sent - 'headers')::text ~* any(:patterns) then null else t.sent - 'headers' end`,
    },
    texts: ['response_body', 'error'],
  },
  { table: 'contact_emails', rows: ofContact, erase: 'delete' },
  // Opt-outs stay in force: a keyed hash replaces the address.
  {
    table: 'opt_outs',
    rows: `${sub} and t.address = any(:addresses)`,
    erase: 'own',
    export: 'opt-outs',
  },
  {
    table: 'contacts',
    rows: `${sub} and t.id = any(:contacts)`,
    erase: {
      first_name: text,
      last_name: `''`,
      tags: `'{}'`,
      additional_emails: `'{}'`,
      additional_phones: `'{}'`,
      addresses: `'{}'`,
      custom_fields: `'{}'`,
      dnd: `'{}'`,
      ...Object.fromEntries(
        [
          'email phone company title source assigned_to address_line1 city state postal_code',
          'country date_of_birth timezone engagement_score',
        ]
          .join(' ')
          .split(' ')
          .map((column) => [column, 'null']),
      ),
    },
    texts: [
      'first_name',
      'last_name',
      'company',
      'title',
      'source',
      'address_line1',
      'custom_fields',
    ],
    export: 'contact',
  },
];
