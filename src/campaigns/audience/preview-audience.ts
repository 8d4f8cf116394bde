import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { findList, findListOfCampaign, type ActiveList } from '../lists/list.store.ts';
import {
  audienceOf,
  contactsOf,
  HAS_DND,
  IS_OPTED_OUT,
  type SelectedContacts,
} from './resolve-audience.ts';
import type { Effects } from '#core/endpoint/keyed-endpoint.ts';

export const LEFT_OUT_REASONS = ['no_email', 'do_not_disturb', 'opted_out'] as const;
type LeftOutReason = (typeof LEFT_OUT_REASONS)[number];

/** A contact of the list that gets no mail. */
interface LeftOut {
  readonly contactId: string;
  readonly name: string;
  readonly email: string | null;
  readonly reason: LeftOutReason;
  /** Why the address is opted out, such as `unsubscribe` or `bounce`. */
  readonly detail: string | null;
}

export interface AudiencePreview {
  /** The contacts of the list. */
  readonly contacts: number;
  readonly mails: number;
  readonly leftOut: Readonly<Record<LeftOutReason, number>>;
  /** The first contacts that are left out, by id. */
  readonly examples: readonly LeftOut[];
}

/** The most contacts that a preview names. */
const EXAMPLES_MAX = 100;

/**
 * Returns how many mails a campaign to a list would send now, and which contacts it would leave out.
 * Throws `NOT_FOUND` for an unknown list.
 */
export async function previewAudience(view: View, listId: string): Promise<AudiencePreview> {
  const list = await findList(view, listId);
  if (!list) {
    throw notFound('list');
  }
  return audienceOfList(view, list);
}

/**
 * Returns the contacts of the list that a started campaign left out: those from before its start that
 * are not among its recipients and may not be mailed. With `search`, only contacts with this part of a
 * name or address. None for a campaign that has not started.
 */
export async function findLeftOut(
  view: View,
  campaignId: string,
  search?: string,
): Promise<Pick<AudiencePreview, 'leftOut' | 'examples'>> {
  const list = await findListOfCampaign(view, campaignId, 'and c.started_at is not null');
  const { contacts: _, mails: __, ...none } = NONE;
  return list
    ? audienceOfList(view, list, { campaignId, search })
    : { leftOut: none, examples: [] };
}

async function audienceOfList(
  view: View,
  list: ActiveList,
  {
    campaignId,
    search,
  }: { readonly campaignId?: string; readonly search?: string | undefined } = {},
): Promise<AudiencePreview> {
  const values: unknown[] = [view.subAccountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const listed = contactsOf(list, bind);
  const missed = campaignId === undefined ? [] : isNoRecipient(bind(campaignId), listed);
  const found = search === undefined ? [] : [isNamed(bind(search))];
  const selected = `${listed.from} where ${[...listed.conditions, ...missed, ...found].join(' and ')}`;
  const [counts] = await view.rows<Counts>(
    `select ${COUNTS} from (select ${REASON} as reason from ${selected}) c`,
    values,
  );
  const { contacts, mails, ...leftOut } = counts ?? NONE;
  const examples =
    contacts === mails
      ? []
      : await view.rows<LeftOut>(
          `${EXAMPLE} from ${selected} and ${REASON} is not null
           order by ${listed.id} limit ${EXAMPLES_MAX}`,
          values,
        );
  return { contacts, mails, leftOut, examples };
}

type Counts = Record<LeftOutReason | 'contacts' | 'mails', number>;

const NONE: Counts = { contacts: 0, mails: 0, no_email: 0, do_not_disturb: 0, opted_out: 0 };

/**
 * SQL conditions: a listed contact existed when the campaign started, and is not among its recipients. They are
 * grouped, not joined: PostgreSQL would compare each contact with each recipient of a campaign that its
 * statistics do not know. A group of a million recipients needs little memory.
 */
function isNoRecipient(
  campaignId: string,
  { from, conditions, id }: SelectedContacts,
): readonly string[] {
  const existed = `c.created_at <= (
    select s.started_at from campaigns s where s.sub_account_id = $1 and s.id = ${campaignId}
  )`;
  return [
    existed,
    `(${id} in (
      select unnest(array(
        select contact_id from (
          select ${id} as contact_id, false as is_recipient
          from ${from} where ${[...conditions, existed].join(' and ')}
          union all
          select r.contact_id, true from campaign_recipients r
          where r.sub_account_id = $1 and r.campaign_id = ${campaignId}
        ) as one group by contact_id having not bool_or(is_recipient)
      ))
    )) is true`,
  ];
}

/** SQL: contact `c` has a text in its name or address. */
const isNamed = (text: string): string => `(strpos(lower(c.email), lower(${text})) > 0
    or strpos(lower(concat(c.first_name, ' ', c.last_name)), lower(${text})) > 0)`;

/** SQL: the first reason to leave contact `c` out; null if it gets a mail. */
const REASON = `case when c.email is null then 'no_email' when ${HAS_DND} then 'do_not_disturb'
    when ${IS_OPTED_OUT} then 'opted_out' end`;

const COUNTS = [
  'count(*)::int as contacts',
  'count(*) filter (where reason is null)::int as mails',
  ...LEFT_OUT_REASONS.map((one) => `count(*) filter (where reason = '${one}')::int as ${one}`),
].join(', ');

const EXAMPLE = `select c.id as "contactId", trim(concat(c.first_name, ' ', c.last_name)) as name,
    c.email, ${REASON} as reason, (
      select o.reason from opt_outs o
      where o.sub_account_id = $1 and o.channel = 'email'
        and (o.address = any(c.addresses) or o.address = lower(c.email))
      order by o.created_at limit 1
    ) as detail`;

/** Returns how many mails a campaign would send now. */
export async function countMails(
  view: View,
  { id }: Readonly<Record<string, unknown>>,
): Promise<Effects> {
  const list = await findListOfCampaign(view, String(id), 'and l.active');
  if (!list) {
    return { mails: 0 };
  }
  const values: unknown[] = [view.subAccountId];
  const { from, conditions } = audienceOf(list, (value) => `$${values.push(value)}`);
  const [row] = await view.rows<{ mails: number }>(
    `select count(*)::int as mails from ${from} where ${conditions.join(' and ')}`,
    values,
  );
  return { mails: row?.mails ?? 0 };
}
