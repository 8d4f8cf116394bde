import { ERASED } from './address-pattern.ts';

/**
 * A table with data of contacts: the one declaration that erasing, exporting and their tests derive
 * from. `t` is a row; `:contacts` are the ids of the person's contacts, `:records` those and the ids of
 * their records, `:addresses` normalised addresses, `:pattern` finds them in texts.
 */
export interface PersonalTable {
  readonly table: string;
  /** A condition: the row is about the person. */
  readonly rows: string;
  /** Rows are deleted, or get these values (SQL by column), or are handled by code of their own. */
  readonly erase: 'delete' | 'own' | Readonly<Record<string, string>>;
  /** Texts in rows about others, in which the person's addresses are replaced. */
  readonly texts?: readonly string[];
  /** The name in an export; left out of exports without one. */
  readonly export?: string;
}

const sub = 't.sub_account_id = :sub';
const ofContact = `${sub} and t.contact_id = any(:contacts)`;
const THREADS = `select id from conversations where sub_account_id = :sub
  and contact_id = any(:contacts)`;
const ofThread = `${sub} and t.conversation_id in (${THREADS})`;
const text = `'${ERASED}'`;

/** An id, in lower case. */
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A JSON or text column that mentions one of the person's records or addresses. */
export const mentions = (column: string): string => `(t.${column}::text ~* :pattern or exists (
  select from regexp_matches(t.${column}::text, '${UUID}', 'g')
    as found where found[1] = any(:records)))`;

/** The request or the response of a delivery mentions the person. */
const NAMED_IN_DELIVERY = `(${mentions('sent')} or ${mentions('response_body')})`;

/** In this order: rows are found by the tables below them. */
export const personalTables: readonly PersonalTable[] = [
  {
    table: 'message_receipts',
    rows: `${sub} and t.external_id in (select m.external_id from messages m
      where m.sub_account_id = :sub and m.conversation_id in (${THREADS}))`,
    erase: 'delete',
    texts: ['error_message'],
  },
  { table: 'drafts', rows: ofThread, erase: 'delete', texts: ['body_text', 'subject'] },
  { table: 'presences', rows: ofThread, erase: 'delete' },
  {
    // A trigger queues the removal of their contents.
    table: 'files',
    rows: `${sub} and (
      t.message_id in (select m.id from messages m
        where m.sub_account_id = :sub and m.conversation_id in (${THREADS}))
      or t.session_id in (select c.id from chat_sessions c
        where c.sub_account_id = :sub and c.conversation_id in (${THREADS}))
      or t.submission_id in (select s.id from form_submissions s where s.sub_account_id = :sub
        and (s.contact_id = any(:contacts)
          or s.contact_id is null and s.fields::text ~* :pattern)))`,
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
    rows: `${sub} and (t.contact_id = any(:contacts)
      or t.contact_id is null and t.fields::text ~* :pattern)`,
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
    rows: `${sub} and t.run_id in (select id from workflow_runs where sub_account_id = :sub
      and contact_id = any(:contacts))`,
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
    rows: `${sub} and (${mentions('path')} or ${mentions('body')})`,
    erase: 'delete',
  },
  {
    table: 'agent_calls',
    rows: `${sub} and (t.records::text[] && :records or ${mentions('response')})`,
    erase: 'delete',
  },
  {
    table: 'agent_approvals',
    rows: `${sub} and (${mentions('arguments')} or ${mentions('summary')} or ${mentions('response')})`,
    erase: 'delete',
  },
  {
    table: 'contact_imports',
    rows: `${sub} and (${mentions('result')} or ${mentions('error')})`,
    erase: 'delete',
  },
  { table: 'contact_views', rows: `${sub} and ${mentions('filter')}`, erase: 'delete' },
  { table: 'contact_bulk_changes', rows: `${sub} and ${mentions('selection')}`, erase: 'delete' },
  // Entries stay: they name users and keys, and records by their id.
  {
    table: 'audit_entries',
    rows: `${sub} and t.changes is not null
      and (t.record_id = any(:records) or ${mentions('changes')})`,
    erase: { changes: 'null' },
  },
  // Receivers keep their place in the feed: events stay, with ids, times and numbers only.
  { table: 'outbox', rows: ofContact, erase: 'own', texts: ['data'] },
  { table: 'events', rows: ofContact, erase: 'own', texts: ['data'] },
  {
    table: 'webhook_deliveries',
    // Responses may repeat what was sent. Deliveries of events that are gone cannot be told apart, but
    // those of tests, which have no event, are about no contact.
    rows: `${sub} and (t.response_body is not null or t.sent is not null) and coalesce((
      select case when e.contact_id is null then ${NAMED_IN_DELIVERY}
        else e.contact_id = any(:contacts) end
      from events e where e.sub_account_id = :sub and e.id = t.event_id
    ), t.event <> 'webhook.test' or ${NAMED_IN_DELIVERY}, false)`,
    // Where and when the request was sent is not about the person, unless the address is in it.
    erase: {
      response_body: 'null',
      sent: `case when (t.sent - 'headers')::text ~* :pattern then null else t.sent - 'headers' end`,
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
    export: 'contact',
  },
];

/** Tables without data of contacts, and why; a new table is listed here or above. */
export const impersonalTables: ReadonlyMap<string, string> = new Map([
  ['admin_notices', 'ids of notices that were mailed'],
  ['api_keys', 'configuration'],
  ['appointment_blocks', 'times of team members'],
  ['appointment_notices', 'ids and times'],
  ['appointment_types', 'configuration'],
  ['calendar_feeds', 'configuration'],
  ['calendar_members', 'configuration'],
  ['calendars', 'configuration'],
  ['campaign_turns', 'a lease'],
  ['campaigns', 'texts for many contacts, with merge fields'],
  ['changes', 'ids, for an hour'],
  ['channels', 'configuration'],
  ['chat_settings', 'configuration'],
  ['contact_import_parts', 'files of imports, for minutes: until they end'],
  ['custom_field_definitions', 'configuration'],
  ['erased_opt_outs', 'keyed hashes'],
  ['external_busy', 'times of team members'],
  ['external_holds', 'ids and times; the events themselves are deleted in the calendars'],
  ['file_deletions', 'ids of contents that are about to be removed'],
  ['forms', 'configuration'],
  ['holding', 'whether workers are paused'],
  ['installation', 'the check value of the secret key'],
  ['invoice_settings', 'configuration'],
  ['lists', 'configuration'],
  ['mail_templates', 'configuration'],
  ['mailboxes', 'positions in mailboxes'],
  ['manifest_references', 'names of variables'],
  ['memberships', 'users of the console'],
  ['oauth_grants', 'what users of the console allowed programs'],
  ['oauth_refresh_tokens', 'what users of the console allowed programs'],
  ['passkeys', 'users of the console'],
  ['pipeline_stages', 'configuration'],
  ['pipelines', 'configuration'],
  ['process_samples', 'counters of servers and workers'],
  ['processes', 'servers and workers'],
  ['rate_windows', 'counters of keys and network addresses, for minutes'],
  ['recurring_campaigns', 'configuration'],
  ['saved_replies', 'configuration'],
  ['schedule_ticks', 'names of jobs and times'],
  ['service_types', 'configuration'],
  ['sign_in_links', 'users of the console'],
  ['spent_challenges', 'ids of solved challenges'],
  ['sub_accounts', 'configuration'],
  ['tallies', 'counters'],
  ['team_members', 'the team'],
  ['user_pictures', 'users of the console'],
  ['user_sessions', 'users of the console'],
  ['users', 'users of the console'],
  ['webhook_subscriptions', 'configuration'],
  ['workflow_calls', 'hashes of calls, for a day'],
  ['workflow_effects', 'names and ids of events, and times'],
  ['workflow_readers', 'positions in the feed'],
  ['workflow_signals', 'names of events'],
  ['workflow_versions', 'configuration'],
  ['workflows', 'configuration'],
]);
