import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';
import { plainLine } from '#lib/plain-line.ts';
import { isInstant, isTime, localText } from '../results/local-times.ts';
import { argumentsOf, type Arguments } from '../tools/action.ts';

const contactName = (contact: string): string =>
  `coalesce(nullif(trim(concat_ws(' ', ${contact}.first_name, ${contact}.last_name)), ''),
    ${contact}.email, ${contact}.phone)`;

const named = (table: string, column = 'name'): string =>
  `select ${column} as name from ${table} where sub_account_id = $1 and id = $2`;

const withContact = (table: string, columns: string): string =>
  `select ${columns}, ${contactName('c')} as contact from ${table} t
     left join contacts c on c.sub_account_id = t.sub_account_id and c.id = t.contact_id`;

/** SQL: the name of record `$2` of sub-account `$1`, its customer and its time, by the argument that names it. */
const RECORDS: Readonly<Record<string, string>> = {
  contactId: `select ${contactName('c')} as name from contacts c
    where c.sub_account_id = $1 and c.id = $2`,
  appointmentTypeId: named('appointment_types'),
  appointmentId: `${withContact('appointments', 'y.name, t.start_time as time')}
    left join appointment_types y on y.sub_account_id = t.sub_account_id
      and y.id = t.appointment_type_id
    where t.sub_account_id = $1 and t.id = $2`,
  conversationId: `${withContact('conversations', 'null as name')}
    where t.sub_account_id = $1 and t.id = $2`,
  calendarId: named('calendars'),
  campaignId: named('campaigns'),
  opportunityId: named('opportunities'),
  pipelineId: named('pipelines'),
  stageId: named('pipeline_stages'),
  taskId: named('tasks', 'title'),
  listId: named('lists'),
  formId: named('forms'),
  fileId: named('files'),
  webhookId: named('webhook_subscriptions', 'url'),
  assignedTo: named('team_members'),
};

interface RecordNames {
  readonly name: string | null;
  readonly contact?: string | null;
  readonly time?: Date | null;
}

/** An argument of a call, for the person who decides about it. */
export interface DescribedArgument {
  readonly name: string;
  readonly value: unknown;
  readonly kind: 'record' | 'time' | 'other';
  /** The name of the record, or the local time; undefined if the value says it itself. */
  readonly meaning: string | undefined;
}

interface Described {
  readonly endpoint: KeyedEndpoint;
  readonly given: Arguments;
  readonly timezone: string;
}

/** Returns all arguments of a call in their order, with the names of records and local times. */
export async function describeArguments(
  view: View,
  { endpoint, given, timezone }: Described,
): Promise<DescribedArgument[]> {
  const { properties } = argumentsOf(endpoint);
  const described: DescribedArgument[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' && isRecord(name)) {
      const meaning = await nameOf(view, { name, id: value, timezone });
      described.push({ name, value, kind: 'record', meaning });
    } else if (isTime({ ...properties[name] }) && isInstant(value)) {
      const meaning = localText(new Date(value), timezone);
      described.push({ name, value, kind: 'time', meaning });
    } else {
      described.push({ name, value, kind: 'other', meaning: undefined });
    }
  }
  return described;
}

/** Returns whether an argument names a record. `id` is the contact into which another one is merged. */
const isRecord = (name: string): boolean => /^id$|Id$/.test(name) || Object.hasOwn(RECORDS, name);

interface NamedRecord {
  readonly name: string;
  readonly id: string;
  readonly timezone: string;
}

async function nameOf(
  view: View,
  { name: argument, id, timezone }: NamedRecord,
): Promise<string | undefined> {
  const read = RECORDS[argument === 'id' ? 'contactId' : argument];
  if (read === undefined || FORMATS['uuid']?.test(id) !== true) {
    return undefined;
  }
  const [found] = await view.rows<RecordNames>(read, [view.subAccountId, id]);
  const { name = null, contact = null, time = null } = found ?? {};
  const parts = [time && localText(time, timezone), name, contact];
  const text = parts.filter((part) => part !== null && part !== '').join(', ');
  // Names were written by customers: a line break would look like a line of ours.
  return plainLine(text) || undefined;
}
