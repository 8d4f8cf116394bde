import { counted } from '#lib/counted.ts';
import { DAY_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';
import { withoutAddresses } from '#platform/mail/mailer.ts';
import { ok, warn, type Check } from '../check.ts';

/** Warns about messages that failed, as after a changed password of the mail server. */
export const messages: Check = {
  name: 'messages',
  async examine({ rows }) {
    const since = firstIdAt(new Date(Date.now() - DAY_MS));
    const found = await rows<Failure>(FAILURES, [since, EXPECTED]);
    const all = found.reduce((sum, { count }) => sum + count, 0);
    if (all === 0) {
      return ok('no message of the last 24 hours failed');
    }
    const channels = [...new Set(found.map(({ channel }) => channel))].join(', ');
    const { code, count, text, subAccountId } = mostFrequent(found);
    const reason = text === null ? '' : `: ${withoutAddresses(text)}`;
    return warn(
      `${counted(all, 'message')} of the last 24 hours failed (${channels}); most often ${code} (${count})${reason}`,
      `list them: frontdesk admin message list --failed --sub-account ${subAccountId}; repair the cause, then send each again: frontdesk admin message resend ID`,
    );
  },
};

/** Messages of a sub-account and a channel that failed with the same code. */
interface Failure {
  readonly subAccountId: string;
  readonly channel: string;
  readonly code: string;
  readonly count: number;
  /** The latest one. */
  readonly text: string | null;
}

/** Returns the most frequent code of all sub-accounts, with the sub-account that has it most often. */
function mostFrequent(found: readonly Failure[]): Failure {
  const byCode = Map.groupBy(found, ({ code }) => code);
  const [most = []] = [...byCode.values()].toSorted((a, b) => sumOf(b) - sumOf(a));
  const [worst] = most.toSorted((a, b) => b.count - a.count);
  if (!worst) {
    throw new Error('no message failed');
  }
  return { ...worst, count: sumOf(most) };
}

const sumOf = (failures: readonly Failure[]): number =>
  failures.reduce((sum, { count }) => sum + count, 0);

/** Failures by the decision of a contact or a user. */
const EXPECTED = ['dnd', 'contact_deleted'];

/**
 * Reads the messages of one day by the primary key of each sub-account, whose ids contain the time: no
 * index has the failed ones. Messages that were sent again are left out.
 */
const FAILURES = `select f.*
  from sub_accounts a
  cross join lateral (
    select m.sub_account_id as "subAccountId", m.channel, coalesce(m.error_code, 'unknown') as code,
      count(*)::int as count,
      (array_agg(left(m.error_message, 200) order by m.id desc))[1] as text
    from messages m
    left join messages k on k.sub_account_id = m.sub_account_id and k.resend_of = m.id
    where m.sub_account_id = a.id and m.id >= $1 and m.status = 'failed'
      and m.direction = 'outbound' and coalesce(m.error_code, '') <> all($2::text[])
      and k.id is null
    group by m.sub_account_id, m.channel, m.error_code
  ) as f
  where a.deleted_at is null`;
