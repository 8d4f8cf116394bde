import { handle, type JobContext } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { AGENCY } from '#lib/id.ts';
import { openSnoozed } from '../conversations.jobs.ts';

/** Conversations per statement; each run opens all that are due. */
const PAGE = 200;

/**
 * Opens each due conversation once, in a transaction of its own, whatever the number of workers. A
 * failed attempt is repeated by the next run.
 */
export const handleOpenSnoozed = handle(openSnoozed, async (_, context) => {
  const { openView, clock, signal, log } = context;
  const { rows, now } = openView(AGENCY, clock());
  let opened = 0;
  let ofPage = PAGE;
  while (ofPage === PAGE && !signal.aborted) {
    const due = await rows<Due>(DUE, [now]);
    ofPage = await openAll(due, now, context);
    opened += ofPage;
  }
  if (opened > 0) {
    log.info({ conversations: opened }, 'snoozed conversations opened');
  }
});

/** Returns how many were opened. A failure does not keep the others waiting. */
async function openAll(
  due: readonly Due[],
  by: Date,
  { transact, actor, log }: Pick<JobContext, 'transact' | 'actor' | 'log'>,
): Promise<number> {
  let opened = 0;
  for (const { subAccountId, id } of due) {
    try {
      opened += await transact(subAccountId, actor, (work) => open(work, id, by));
    } catch (error) {
      log.warn({ err: error, conversationId: id }, 'snoozed conversation not opened; trying again');
    }
  }
  return opened;
}

interface Due {
  readonly subAccountId: string;
  readonly id: string;
}

/** Only one conversation of a contact and channel may be open; live chats are separate ones. */
const IS_ALONE = `(v.channel = 'live_chat' or not exists (
    select from conversations o
    where o.sub_account_id = v.sub_account_id and o.contact_id = v.contact_id
      and o.channel = v.channel and o.status = 'open' and o.deleted_at is null
  ))`;

/** A conversation whose contact has another open one waits until that one is closed. */
const DUE = `select v.sub_account_id as "subAccountId", v.id
  from conversations v
  join sub_accounts a on a.id = v.sub_account_id and a.deleted_at is null
  where v.snoozed_until <= $1 and v.status = 'snoozed' and v.deleted_at is null and ${IS_ALONE}
  order by v.snoozed_until, v.id limit ${PAGE}`;

/** Returns how many were opened: 0 if a message or a person was faster. */
async function open(work: Work, id: string, by: Date): Promise<number> {
  const { subAccountId, now } = work;
  // Another conversation may be opened meanwhile: the second try then finds it.
  work.retryOn('conversations_current');
  const opened = await work.rows(OPEN, [subAccountId, id, by, now]);
  opened.forEach(() => work.audit(id));
  return opened.length;
}

const OPEN = `update conversations v set status = 'open', updated_at = $4
  where v.sub_account_id = $1 and v.id = $2 and v.snoozed_until <= $3 and v.status = 'snoozed'
    and v.deleted_at is null and ${IS_ALONE}
  returning v.id`;
