import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { matching } from '../lists/list-filter.ts';
import { findList, findListOfCampaign, type ActiveList } from '../lists/list.store.ts';
import { HAS_DND, isMember, isOptedOut, audienceOf } from './resolve-audience.ts';
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
  const members = list.filter ? matching(list.filter, bind) : [isMember(bind(list.id))];
  const missed = campaignId === undefined ? [] : isNoRecipient(bind(campaignId));
  const found = search === undefined ? [] : [isNamed(bind(search))];
  const conditions = [...LIVE, ...members, ...missed, ...found].join(' and ');
  const [counts] = await view.rows<Counts>(
    `select ${COUNTS} from (select ${REASON} as reason from contacts c where ${conditions}) c`,
    values,
  );
  const { contacts, mails, ...leftOut } = counts ?? NONE;
  const examples =
    contacts === mails
      ? []
      : await view.rows<LeftOut>(
          `${EXAMPLE} where ${conditions} and ${REASON} is not null
           order by c.id limit ${EXAMPLES_MAX}`,
          values,
        );
  return { contacts, mails, leftOut, examples };
}

type Counts = Record<LeftOutReason | 'contacts' | 'mails', number>;

const NONE: Counts = { contacts: 0, mails: 0, no_email: 0, do_not_disturb: 0, opted_out: 0 };

const LIVE = ['c.sub_account_id = $1', 'c.deleted_at is null'];

/** SQL conditions: contact `c` existed when the campaign started, and is not among its recipients. */
const isNoRecipient = (campaignId: string): readonly string[] => [
  `c.created_at <= (
    select s.started_at from campaigns s where s.sub_account_id = $1 and s.id = ${campaignId}
  )`,
  `not exists (
    select from campaign_recipients r
    where r.sub_account_id = $1 and r.campaign_id = ${campaignId} and r.contact_id = c.id
  )`,
];

/** SQL: contact `c` has a text in its name or address. */
const isNamed = (text: string): string => `(strpos(lower(c.email), lower(${text})) > 0
    or strpos(lower(concat(c.first_name, ' ', c.last_name)), lower(${text})) > 0)`;

/** SQL: the first reason to leave contact `c` out; null if it gets a mail. */
const REASON = `case when c.email is null then 'no_email' when ${HAS_DND} then 'do_not_disturb'
    when ${isOptedOut('lower(c.email)')} then 'opted_out' end`;

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
    ) as detail
  from contacts c`;

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
  const conditions = audienceOf(list, (value) => `$${values.push(value)}`);
  const [row] = await view.rows<{ mails: number }>(
    `select count(*)::int as mails from contacts c where ${conditions.join(' and ')}`,
    values,
  );
  return { mails: row?.mails ?? 0 };
}
