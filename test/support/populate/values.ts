import { newId } from '#lib/id.ts';
import { SCOPES } from '#core/scope.ts';
import type { Secrets } from '#core/secrets.ts';
import { hashOf } from '../../../src/accounts/keys/key-value.ts';
import type { Column } from './columns.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface Filling {
  readonly subAccountId: string;
  readonly secrets: Secrets;
  /** An API key of the sub-account, with every scope. */
  readonly key: string;
  readonly now: Date;
}

/** The value of a column without references in the row with this number. */
export function valueOf(
  table: string,
  { name, type, allowed }: Column,
  number: number,
  row: Row,
  filling: Filling,
): unknown {
  const special = SPECIAL[`${table}.${name}`] ?? SPECIAL[name];
  if (special) {
    return special(number, row, filling);
  }
  if (allowed.length > 0) {
    return allowed[number % allowed.length];
  }
  return BY_TYPE[type]?.(`${table} ${name}`, number, filling) ?? unknownType(table, name, type);
}

function unknownType(table: string, name: string, type: string): never {
  throw new Error(`${table}.${name} has the unsupported type ${type}`);
}

/** Characters that code may stumble over. */
const HARD = 'ü "quoted" \\N \\. \t tab\nline 💥';
const HOUR_MS = 3_600_000;

type ByType = (text: string, number: number, filling: Filling) => unknown;

const BY_TYPE: Readonly<Record<string, ByType>> = {
  uuid: (_text, _number, { now }) => newId(now),
  text: (text, number) => `${text} ${number} ${HARD}`,
  boolean: () => true,
  smallint: (_text, number) => number + 1,
  integer: (_text, number) => number + 1,
  bigint: (_text, number) => number + 1,
  'double precision': (_text, number) => number + 0.1,
  'timestamp with time zone': (_text, number, { now }) =>
    new Date(now.getTime() + number * HOUR_MS),
  'uuid[]': (_text, _number, { now }) => [newId(now), newId(now)],
  'text[]': (text, number) => [`${text} ${number}`, HARD],
  json: () => '{}',
  jsonb: () => '{}',
  bytea: (text, number) => Buffer.from(`${text} ${number}`),
  tstzrange: (_text, number) => `[2027-01-0${number + 1} 10:00+00,2027-01-0${number + 1} 11:00+00)`,
  tstzmultirange: () => '{[2027-01-01 10:00+00,2027-01-01 11:00+00)}',
};

type Special = (number: number, row: Row, filling: Filling) => unknown;

const never = () => null;
const text = (what: string) => (number: number) => `${what}${number}`;
const sealedFor =
  (place: string, plain: string): Special =>
  (_number, { id }, { secrets }) =>
    secrets.seal(plain, place.replace('*', String(id)));

/** Columns whose values need a format, by name in any table or in one. */
const SPECIAL: Readonly<Record<string, Special>> = {
  timezone: () => 'Europe/Berlin',
  currency: () => 'EUR',
  locale: () => 'en',
  email: (number) => `someone${number}@example.org`,
  contact_email: (number) => `someone${number}@example.org`,
  address: (number) => `someone${number}@example.org`,
  phone: (number) => `+4930123456${number}`,
  url: (number) => `https://example.org/hook/${number}`,
  key: text('key-'),
  slug: text('slug-'),
  deleted_at: (number, _row, { now }) => (number === 0 ? null : now),
  turn_until: never,
  'sub_accounts.id': (_number, _row, { subAccountId }) => subAccountId,
  'sub_accounts.location_id': (_number, _row, { subAccountId }) => `place ${subAccountId}`,
  'sub_accounts.deleted_at': never,
  'sub_accounts.sandbox': () => false,
  'sub_accounts.admins': () => ['owner@example.org'],
  'sub_accounts.features': never,
  'sub_accounts.custom_values': () => '{"greeting":"Hello"}',
  'api_keys.kind': () => 'live',
  'api_keys.hash': (number, _row, { key, subAccountId }) =>
    hashOf(number === 0 ? key : `another of ${subAccountId}`),
  'api_keys.previous_hash': (_number, _row, { subAccountId }) => hashOf(`old of ${subAccountId}`),
  'api_keys.scopes': () => SCOPES,
  'api_keys.rate_read': () => '1000/1m',
  'api_keys.rate_write': () => '1000/1m',
  'api_keys.expires_at': never,
  'api_keys.token_expires_at': never,
  'api_keys.revoked_at': never,
  'team_members.external_calendar': () => '{"type":"caldav","url":"https://example.org/dav"}',
  'team_members.external_password': sealedFor('team_members/*/external', 'secret'),
  'channels.secrets': sealedFor('channels/*/secrets', '{"password":"secret"}'),
  'channels.settings': () => '{"host":"mail.example.org","user":"desk"}',
  'channels.provider': () => 'smtp',
  'channels.channel': (number) => ['email', 'sms'][number],
  'invoice_settings.secret': sealedFor('invoice_settings/*/secret', 'secret'),
  'webhook_subscriptions.secret': sealedFor('webhook_subscriptions/*/secret', 'whsec_secret'),
  'webhook_subscriptions.previous_secret': sealedFor('webhook_subscriptions/*/secret', 'whsec_old'),
  'webhook_subscriptions.events': () => ['contact.created'],
  'webhook_subscriptions.consecutive_failures': (number) => (number === 0 ? 2 : 0),
  'workflows.secret': sealedFor('workflows/*/secret', 'secret'),
  'workflows.triggers': () => '[]',
  'workflows.active': (number) => number === 0,
  'workflow_versions.steps': (_number, { workflow_id: id }, { secrets }) =>
    JSON.stringify([
      {
        http: {
          url: 'https://example.org',
          sealedHeaders: secrets
            .seal('{"x":"y"}', `workflows/${String(id)}/headers`)
            .toString('base64'),
        },
      },
    ]),
  'custom_field_definitions.type': () => 'text',
  'custom_field_definitions.is_required': () => false,
  'contacts.first_name': (number) => `Zoë ${number} ${HARD}`,
  'contacts.dnd': () => '{}',
  'calendars.hours': () => '{"mon":["09:00-17:00"],"tue":["09:00-17:00"]}',
  'calendar_members.hours': never,
  'calendars.overrides': () => '[]',
  'calendars.reminders': () => '[]',
  'calendars.confirmation': never,
  'calendars.buffer_before': () => 0,
  'calendars.minimum_notice': () => 0,
  'calendars.maximum_advance': () => 60,
  'appointments.start_time': (number) => `2027-01-0${number + 1} 10:00+00`,
  'appointments.end_time': (number) => `2027-01-0${number + 1} 11:00+00`,
  'chat_settings.settings': () => CHAT,
  'forms.fields': () => FIELDS,
  'lists.filter': never,
  'messages.channel': () => 'email',
  'conversations.channel': () => 'email',
  'messages.is_internal': () => false,
  'messages.attachment': () => '{"name":"a.ics","type":"text/calendar","content":"BEGIN"}',
  'messages.chat_position': never,
  'campaigns.status': () => 'scheduled',
  'campaigns.scheduled_at': (number, _row, { now }) =>
    new Date(now.getTime() + (number + 1) * 24 * HOUR_MS),
  'workflow_runs.status': () => 'waiting',
  'workflow_runs.finished_at': never,
  'workflow_runs.due_at': (_number, _row, { now }) => new Date(now.getTime() + 24 * HOUR_MS),
  'workflow_runs.backlogged_at': never,
  'workflow_runs.wake_at': (_number, _row, { now }) => new Date(now.getTime() + 24 * HOUR_MS),
  'recurring_campaigns.next_at': (_number, _row, { now }) => new Date(now.getTime() + 24 * HOUR_MS),
};

const CHAT = JSON.stringify({
  color: '#2456a6',
  title: 'Chat',
  enabled: true,
  position: 'right',
  timezone: null,
  legalText: null,
  requireName: true,
  requireEmail: false,
  businessHours: null,
  welcomeMessage: 'Hello',
});

const FIELDS = JSON.stringify([
  { name: 'email', type: 'email', label: 'Email', mapsTo: 'email', options: null, required: true },
]);
