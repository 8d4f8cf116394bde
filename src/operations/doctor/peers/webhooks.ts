import { isoText } from '#core/schema/columns.ts';
import { MOVED_WITHOUT_SECRET } from '#core/secrets.ts';
import { counted } from '#lib/counted.ts';
import { ok, warn, type Check } from '../check.ts';

/** Fewer failures in a row may be a restart of the receiver, unless it has never accepted anything. */
const FAILURES_WARN = 5;
const NAMED_MAX = 10;

/** Warns about receivers that were disabled or fail repeatedly. */
export const webhooks: Check = {
  name: 'webhooks',
  async examine({ rows }) {
    const [found] = await rows<{ all: number }>(COUNT);
    const all = found?.all ?? 0;
    const troubled = await rows<Receiver>(TROUBLED, [FAILURES_WARN]);
    if (troubled.length === 0) {
      return ok(all === 0 ? 'none in use' : counted(all, 'receiver'));
    }
    const hosts = troubled.map(hostOf);
    const named = troubled
      .slice(0, NAMED_MAX)
      .map((one) => {
        const isShared = hosts.filter((host) => host === hostOf(one)).length > 1;
        return described(one, isShared ? `${hostOf(one)} (webhook ${one.id})` : hostOf(one));
      })
      .join('; ');
    const more = troubled.length > NAMED_MAX ? `; and ${troubled.length - NAMED_MAX} more` : '';
    return warn(
      `${troubled.length} of ${counted(all, 'receiver')} ${troubled.length === 1 ? 'fails' : 'fail'}: ${named}${more}`,
      hintFor(troubled),
    );
  },
};

/** A receiver that is still active needs no command: its deliveries are retried. */
const hintFor = (troubled: readonly Receiver[]): string => {
  const isMoved = troubled.some(({ disabled }) => disabled === MOVED_WITHOUT_SECRET);
  const look = isMoved ? NEW_SECRET : 'see frontdesk admin delivery list --failed';
  return troubled.some(({ disabled }) => disabled !== null)
    ? `${look}; enable a receiver that works again: frontdesk admin webhook enable ID; then send what it missed: frontdesk admin delivery replay --subscription ID --since TIME, with a TIME some minutes before the failures began`
    : `${look}; deliveries are retried, and continue once the receiver works`;
};

/** A receiver that does not know its secret would refuse whatever it gets. */
const NEW_SECRET =
  'first give a receiver that was moved without its secret a new one: frontdesk admin secret regenerate webhook ID';

/** The path and the query of a receiver may contain a secret. */
const hostOf = ({ url }: Receiver): string => URL.parse(url)?.host ?? 'unknown host';

const described = (
  { disabled, failures, failingSince, pausedUntil }: Receiver,
  name: string,
): string => {
  const pause = pausedUntil === null ? '' : ', so deliveries wait and are tried one at a time';
  const since = failingSince === null ? '' : ` since ${failingSince}`;
  const before = failures === 0 ? '' : ` (${counted(failures, 'failure')} in a row${since})`;
  return disabled === null
    ? `${name} has ${counted(failures, 'failure')} in a row${pause}`
    : `${name} is disabled: ${disabled}${before}`;
};

interface Receiver {
  readonly id: string;
  readonly url: string;
  /** Why it is disabled; null if it is active. */
  readonly disabled: string | null;
  readonly failures: number;
  readonly failingSince: string | null;
  /** Until when the breaker is open. */
  readonly pausedUntil: Date | null;
}

const COUNT = 'select count(*)::int as all from webhook_subscriptions where deleted_at is null';

const TROUBLED = `
  select id, url, consecutive_failures as failures,
    ${isoText('failing_since')} as "failingSince",
    case when status = 'disabled' then disabled_reason end as disabled,
    case when paused_until > now() then paused_until end as "pausedUntil"
  from webhook_subscriptions
  where deleted_at is null
    and (status = 'disabled' and disabled_reason is not null
      or status = 'active' and (consecutive_failures >= $1
        or consecutive_failures > 0 and last_success_at is null
        or failing_since < now() - interval '1 h'))
  order by failing_since nulls last, id`;
