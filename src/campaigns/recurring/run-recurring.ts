import { Temporal } from 'temporal-polyfill';
import { Fault } from '#core/fault.ts';
import type { Actor, Transact, Work } from '#core/work.ts';
import { HOUR_MS } from '#lib/duration.ts';
import { AGENCY, newId } from '#lib/id.ts';
import { Campaign } from '../campaign.entity.ts';
import { LATE_H, requireFeature } from '../campaign.store.ts';
import { MailTemplate } from '../compose/mail-template.entity.ts';
import { resolveTemplate } from '../compose/resolve-layout.ts';
import { lastTick, nextTick } from './cron-time.ts';
import { RecurringCampaign } from './recurring-campaign.entity.ts';

/** Recurring campaigns per page. */
const PAGE = 100;

interface RunTools {
  readonly database: {
    rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
  };
  readonly transact: Transact;
}

/** What a tick did. */
export interface Tick {
  readonly subAccountId: string;
  /** The key of the recurring campaign. A field named `key` would be redacted in logs. */
  readonly recurring: string;
  /** Null if no campaign was made. */
  readonly campaignId: string | null;
  readonly error: string | null;
}

/**
 * Makes a scheduled campaign of every recurring campaign whose tick is due by the database's clock.
 * Each tick makes one, whatever the number of concurrent processes. Of missed ticks, the last one runs
 * if it is less than six hours late. Throws the first error after every one was tried.
 */
export async function runRecurring(
  { database, transact }: RunTools,
  actor: Actor,
  signal?: AbortSignal,
): Promise<Tick[]> {
  const ticks: Tick[] = [];
  const failures: unknown[] = [];
  let last: string = AGENCY;
  for (let isMore = true; isMore;) {
    const page = await database.rows<Due>(DUE, [last]);
    for (const { subAccountId, id } of page) {
      try {
        const tick = await transact(subAccountId, actor, (work) => runOne(work, id));
        ticks.push(...(tick ? [tick] : []));
      } catch (error) {
        failures.push(error);
      }
    }
    last = page.at(-1)?.id ?? last;
    isMore = page.length === PAGE && signal?.aborted !== true;
  }
  if (failures.length > 0) {
    throw failures[0];
  }
  return ticks;
}

interface Due {
  readonly subAccountId: string;
  readonly id: string;
}

/** The time zone of the sub-account may have changed since the next tick was computed. */
const IS_DUE = `r.active and (
    r.next_at <= now() or r.planned_zone <> coalesce(r.timezone, a.timezone)
  ) and a.deleted_at is null`;

const DUE = `select r.sub_account_id as "subAccountId", r.id
  from recurring_campaigns r join sub_accounts a on a.id = r.sub_account_id
  where ${IS_DUE} and r.id > $1 order by r.id limit ${PAGE}`;

interface Locked {
  readonly zone: string;
  /** The time of the database, which all processes share. */
  readonly now: Date;
}

/** Locked rows are being run by another process. */
const LOCK = `select coalesce(r.timezone, a.timezone) as zone, now() as now
  from recurring_campaigns r join sub_accounts a on a.id = r.sub_account_id
  where r.sub_account_id = $1 and r.id = $2 and ${IS_DUE} for update of r skip locked`;

/** Returns undefined if another process ran the tick, or if only the plan changed. */
async function runOne(work: Work, id: string): Promise<Tick | undefined> {
  const { em, subAccountId } = work;
  const [locked] = await work.rows<Locked>(LOCK, [subAccountId, id]);
  if (!locked) {
    return undefined;
  }
  const { zone, now } = locked;
  const recurring = await em.findOneOrFail(RecurringCampaign, { subAccountId, id });
  const { nextAt = null, repeat, key } = recurring;
  recurring.plannedZone = zone;
  recurring.nextAt = nextTick(repeat, zone, now) ?? null;
  if (nextAt === null || nextAt > now) {
    return undefined;
  }
  // A tick that ran before is not repeated: the plan may have been made by a clock that is behind.
  const since = Math.max(nextAt.getTime() - 1, recurring.lastTickAt?.getTime() ?? 0);
  const latest = now.getTime() - LATE_H * HOUR_MS;
  const after = new Date(Math.max(since, latest));
  const tick = lastTick(repeat, zone, { after, until: now });
  if (!tick && since > latest) {
    return undefined;
  }
  recurring.lastTickAt = tick ?? nextAt;
  const made = tick ? await makeCampaign(work, recurring, tick) : { error: 'late' };
  recurring.lastError = 'error' in made ? made.error : null;
  work.audit(id);
  const campaignId = 'error' in made ? null : made.id;
  return { subAccountId, recurring: key, campaignId, error: recurring.lastError };
}

/** Returns the scheduled campaign, which is then started like others, or the code of a refusal. */
async function makeCampaign(
  work: Work,
  { id: recurringCampaignId, ...recurring }: RecurringCampaign,
  tick: Date,
): Promise<{ readonly id: string } | { readonly error: string }> {
  const { em, subAccountId, now } = work;
  const { name, subject, preheader, content, listId, templateId, plannedZone } = recurring;
  try {
    await requireFeature(work);
    const template = await em.findOne(MailTemplate, { subAccountId, id: templateId ?? AGENCY });
    const layout = resolveTemplate(template?.name ?? '', template ?? undefined);
    const id = newId(now);
    em.persist(
      em.create(Campaign, {
        subAccountId,
        id,
        channel: 'email',
        name: nameOf(name, tick, plannedZone),
        subject,
        preheader: preheader ?? null,
        contentHtml: content,
        layout: template?.name ?? '',
        layoutHtml: layout.html,
        listId: listId ?? null,
        recurringCampaignId,
        status: 'scheduled',
        scheduledAt: tick,
        createdAt: now,
        updatedAt: now,
      }),
    );
    return { id };
  } catch (error) {
    if (error instanceof Fault) {
      return { error: error.code };
    }
    throw error;
  }
}

/** Returns a name such as `Newsletter (2026-11-23 09:00)`, in local time. */
function nameOf(name: string, tick: Date, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(tick.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDateTime();
  return `${name} (${local.toPlainDate().toString()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })})`;
}
