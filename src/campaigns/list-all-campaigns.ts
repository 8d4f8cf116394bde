import { isoText } from '#core/schema/columns.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { View } from '#core/work.ts';
import { queryBuilder, queryRows } from '#platform/database/query-builder.ts';
import type { SubAccountTable } from '../accounts/sub-accounts/sub-account.entity.ts';
import type { CampaignTable } from './campaign.entity.ts';
import type { RecurringCampaignTable } from './recurring/recurring-campaign.entity.ts';
import type { CampaignStatus } from './campaign.schema.ts';
import { problemOf } from './campaign.store.ts';

export interface ListedCampaign {
  readonly id: string;
  readonly subAccountId: string;
  readonly name: string;
  readonly subject: string;
  readonly layout: string;
  readonly listId: string | null;
  /** The key of the recurring campaign that it is a run of. */
  readonly recurring: string | null;
  readonly channel: string;
  readonly status: CampaignStatus;
  readonly heldBecause: string | null;
  /** `heldBecause`, or `empty_audience` if it was sent to no one. */
  readonly problem: string | null;
  readonly scheduledAt: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly createdAt: string;
}

/** The number of recipients per status; `pending` includes those being sent. */
interface Recipients {
  readonly pending: number;
  readonly sent: number;
  readonly skipped: number;
  readonly failed: number;
  readonly unknown: number;
}

export interface RecipientCounts {
  readonly recipients: Recipients;
  /** The number of recipients who unsubscribed by the link in the mail, and not subscribed again by it. */
  readonly unsubscribed: number;
}

interface ListAllCampaignsInput {
  readonly id?: string | undefined;
  readonly subAccountId?: string | undefined;
  /** Only campaigns that are older than this one. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

/** Returns campaigns of all sub-accounts, newest first; none for an unknown or malformed id. */
export async function listAllCampaigns(
  view: View,
  { id, subAccountId, before, limit }: ListAllCampaignsInput,
): Promise<ListedCampaign[]> {
  if ([id, subAccountId].some((one) => one !== undefined && !FORMATS['uuid']?.test(one))) {
    return [];
  }
  const { db, sql } = await queryBuilder<
    typeof CampaignTable | typeof RecurringCampaignTable | typeof SubAccountTable
  >();
  // One node of a cluster answers only if every table has the sub-account as a value.
  const own = subAccountId === undefined ? 'c.sub_account_id' : `'${subAccountId}'::uuid`;
  const iso = (column: string) => sql.raw<any>(isoText(column));
  let campaigns = db
    .selectFrom('sub_accounts as a')
    .innerJoin('campaigns as c', 'c.sub_account_id', 'a.id')
    .select(['c.id', 'c.sub_account_id as subAccountId', 'c.name', 'c.subject', 'c.layout'])
    .leftJoin('recurring_campaigns as r', (join) =>
      join
        .onRef('r.sub_account_id', '=', 'c.sub_account_id')
        .onRef('r.id', '=', 'c.recurring_campaign_id'),
    )
    .select('r.key as recurring')
    .select(['c.list_id as listId', 'c.channel', 'c.status', 'c.held_because as heldBecause'])
    .select(sql.raw<string | null>(problemOf(own)).as('problem'))
    .select([
      iso('c.scheduled_at').as('scheduledAt'),
      iso('c.started_at').as('startedAt'),
      iso('c.finished_at').as('finishedAt'),
      iso('c.created_at').as('createdAt'),
    ])
    .where('a.deleted_at', 'is', null);
  if (id !== undefined) {
    campaigns = campaigns.where('c.id', '=', id);
  }
  if (subAccountId !== undefined) {
    campaigns = campaigns.where('a.id', '=', subAccountId);
  }
  if (before !== undefined) {
    campaigns = campaigns.where('c.id', '<', before);
  }
  if (limit !== undefined) {
    campaigns = campaigns.limit(limit);
  }
  return queryRows<ListedCampaign>(view, campaigns.orderBy('c.id', 'desc'));
}

const NO_RECIPIENTS: RecipientCounts = {
  recipients: { pending: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 },
  unsubscribed: 0,
};

/** Returns the numbers of recipients of a campaign of the sub-account. */
export async function countRecipients(view: View, id: string): Promise<RecipientCounts> {
  const countsOf = await readCounts(view, [id]);
  return countsOf(id);
}

/** Returns campaigns of the sub-account with their numbers of recipients. */
export async function withRecipients<T extends { readonly id: string }>(
  view: View,
  campaigns: readonly T[],
): Promise<(T & RecipientCounts)[]> {
  const countsOf = await readCounts(
    view,
    campaigns.map(({ id }) => id),
  );
  return campaigns.map((one) => ({ ...one, ...countsOf(one.id) }));
}

interface CountRow extends Recipients {
  readonly id: string;
  readonly unsubscribed: number;
}

async function readCounts(
  view: View,
  ids: readonly string[],
): Promise<(id: string) => RecipientCounts> {
  const rows = await view.rows<CountRow>(COUNT, [view.subAccountId, ids]);
  const counts = new Map(
    rows.map(({ id, unsubscribed, ...recipients }) => [id, { recipients, unsubscribed }]),
  );
  return (id) => counts.get(id) ?? NO_RECIPIENTS;
}

const COUNT = `select campaign_id as id,
    count(*) filter (where status in ('pending', 'sending'))::int as pending,
    count(*) filter (where status = 'sent')::int as sent,
    count(*) filter (where status = 'skipped')::int as skipped,
    count(*) filter (where status = 'failed')::int as failed,
    count(*) filter (where status = 'unknown')::int as unknown,
    count(unsubscribed_at)::int as unsubscribed
  from campaign_recipients
  where sub_account_id = $1 and campaign_id = any($2::uuid[]) group by campaign_id`;

export interface UnknownRow {
  readonly id: string;
  readonly email: string;
  readonly contactId: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly since: string;
}

/** Returns the recipients whose outcome is unknown. */
export const findUnknowns = (
  view: View,
  { id, subAccountId }: Pick<ListedCampaign, 'id' | 'subAccountId'>,
): Promise<UnknownRow[]> => view.rows<UnknownRow>(UNKNOWNS, [subAccountId, id]);

const UNKNOWNS = `select id, email, contact_id as "contactId", error_code as "errorCode",
    error_message as "errorMessage", ${isoText('settled_at')} as since
  from campaign_recipients
  where sub_account_id = $1 and campaign_id = $2 and status = 'unknown' order by id`;
