import { isoText } from '#core/schema/columns.ts';
import type { View } from '#core/work.ts';
import { mergedSubject, type MergeValues } from '#lib/merge-fields.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';

/** Something that happened with a contact. */
export interface TimelineRow {
  readonly kind: TimelineKind;
  readonly id: string;
  readonly at: string;
  readonly summary: string;
  /** The state of the record now; the reason of an opt-out. */
  readonly status: string | null;
  /** When an appointment begins. */
  readonly startTime: string | null;
  /** What the record belongs to: the conversation of a message, the workflow of a run. */
  readonly parent: string | null;
}

export const TIMELINE_KINDS = [
  'message',
  'note',
  'appointment',
  'opportunity',
  'task',
  'submission',
  'campaign',
  'run',
  'consent',
] as const;

type TimelineKind = (typeof TIMELINE_KINDS)[number];

interface TimelinePage {
  readonly contactId: string;
  /** The position of the last row of the previous page, from `positionOf`. */
  readonly after: string | undefined;
  readonly limit: number;
}

const SEPARATOR = '|';

/** Returns the position of a row: rows of the same time are ordered by id. */
export const positionOf = ({ at, id }: TimelineRow): string => `${at}${SEPARATOR}${id}`;

/** Returns what happened with a contact, newest first. */
export async function findTimeline(view: View, page: TimelinePage): Promise<TimelineRow[]> {
  const { subAccountId } = view;
  const { contactId, limit } = page;
  const [at = null, id = null] = page.after?.split(SEPARATOR) ?? [];
  const rows = await view.rows<TimelineRow>(FIND, [subAccountId, contactId, at, id, limit]);
  return rows.some(({ kind }) => kind === 'campaign')
    ? withSubjects(rows, await mergeValuesFor(view, contactId))
    : rows;
}

/** Returns the rows with the subjects of campaigns as the contact gets them. */
const withSubjects = (rows: readonly TimelineRow[], values: MergeValues): TimelineRow[] =>
  rows.map((row) =>
    row.kind === 'campaign'
      ? {
          ...row,
          summary: Array.from(mergedSubject(row.summary, values)).slice(0, SUMMARY_MAX).join(''),
        }
      : row,
  );

async function mergeValuesFor(view: View, contactId: string): Promise<MergeValues> {
  const [contact] = await view.rows<Parameters<typeof mergeValuesOf>[0]>(CONTACT, [
    view.subAccountId,
    contactId,
  ]);
  return contact ? mergeValuesOf(contact, await customValuesOf(view)) : {};
}

const CONTACT = `select first_name as "firstName", last_name as "lastName", email, phone, company
  from contacts where sub_account_id = $1 and id = $2`;

interface Part {
  /** An expression. */
  readonly kind: string;
  /** The alias of the record's table. */
  readonly of: string;
  /** The column of the time; `created_at` unless given. */
  readonly at?: string;
  readonly summary: string;
  readonly status?: string;
  readonly parent?: string;
  readonly start?: string;
  /** The tables and conditions. */
  readonly from: string;
}

const owned = (alias: string): string =>
  `${alias}.sub_account_id = $1 and ${alias}.contact_id = $2`;

/** Joins the contact's records with the parents that their column `key` names. */
const ownedIn = (parent: string, alias: string, key: string): string =>
  `on ${parent}.sub_account_id = ${alias}.sub_account_id and ${parent}.id = ${alias}.${key}
      where ${owned(alias)}`;

const SUMMARY_MAX = 140;
/** Merge fields must not be cut. */
const SOURCE_MAX = 1_000;

const PARTS: readonly Part[] = [
  {
    kind: `case when m.is_internal then 'note' else 'message' end`,
    of: 'm',
    summary: `coalesce(nullif(m.subject, ''), m.body_text, m.channel)`,
    parent: 'c.id',
    from: `conversations c join messages m
        on m.sub_account_id = c.sub_account_id and m.conversation_id = c.id
      where ${owned('c')}`,
  },
  {
    kind: `'appointment'`,
    of: 'a',
    summary: `coalesce(a.title, t.name, '')`,
    status: 'a.status',
    start: 'a.start_time',
    from: `appointments a
      left join appointment_types t ${ownedIn('t', 'a', 'appointment_type_id')}`,
  },
  {
    kind: `'opportunity'`,
    of: 'o',
    summary: 'o.name',
    status: 'o.status',
    from: `opportunities o where ${owned('o')} and o.deleted_at is null`,
  },
  {
    kind: `'task'`,
    of: 't',
    summary: 't.title',
    status: 't.status',
    from: `tasks t where ${owned('t')} and t.deleted_at is null`,
  },
  {
    kind: `'submission'`,
    of: 's',
    summary: `concat_ws(' · ', f.name, (
      select string_agg(a.name, ', ' order by a.name) from files a
      where a.sub_account_id = $1 and a.submission_id = s.id
    ))`,
    from: `form_submissions s join forms f ${ownedIn('f', 's', 'form_id')}`,
  },
  {
    kind: `'campaign'`,
    of: 'r',
    at: 'settled_at',
    summary: 'p.subject',
    parent: 'p.id',
    // By address: the recipients of large campaigns have no index of contacts.
    from: `contacts c join campaigns p on p.sub_account_id = c.sub_account_id
      join campaign_recipients r on r.sub_account_id = p.sub_account_id and r.campaign_id = p.id
        and r.address = any(c.addresses) and r.contact_id = c.id and r.status = 'sent'
      where c.sub_account_id = $1 and c.id = $2 and r.settled_at is not null`,
  },
  {
    kind: `'run'`,
    of: 'r',
    summary: 'w.name',
    status: 'r.status',
    parent: 'w.slug',
    from: `workflow_runs r join workflows w ${ownedIn('w', 'r', 'workflow_id')}`,
  },
  {
    kind: `'consent'`,
    of: 'o',
    summary: 'o.channel',
    status: 'o.reason',
    from: `contacts c join opt_outs o
        on o.sub_account_id = c.sub_account_id and o.address = any(c.addresses)
      where c.sub_account_id = $1 and c.id = $2`,
  },
];

/** Each part is limited: the page needs no more of it. */
const partOf = ({ kind, of, at = 'created_at', from, ...row }: Part): string => `(
    select ${kind} as kind, ${of}.id, ${of}.${at} as at, ${row.summary} as summary,
      (${row.status ?? 'null'})::text as status, (${row.parent ?? 'null'})::text as parent,
      (${row.start ?? 'null'})::timestamptz as start
    from ${from}
      and ($3::timestamptz is null or (${of}.${at}, ${of}.id) < ($3, $4::uuid))
    order by ${of}.${at} desc, ${of}.id desc limit $5
  )`;

const FIND = `select kind, id, ${isoText('at')} as at,
    left(trim(regexp_replace(left(summary, ${SOURCE_MAX}), '\\s+', ' ', 'g')),
      case kind when 'campaign' then ${SOURCE_MAX} else ${SUMMARY_MAX} end) as summary,
    status, parent, ${isoText('start')} as "startTime"
  from (${PARTS.map(partOf).join(' union all ')}) as happened
  order by happened.at desc, id desc limit $5`;
