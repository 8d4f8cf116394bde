import { counted } from '#lib/counted.ts';
import { ok, warn, type Check } from '../check.ts';

const AT_ONCE = 10;
/** The most mailboxes to check, on a large installation. */
const MAILBOXES_MAX = 100;

/** Checks whether the mailboxes for replies and bounces can be opened. */
export const mailboxes: Check = {
  name: 'mailboxes',
  async examine({ rows, probeMailbox }) {
    const all = await rows<Mailbox>(MAILBOXES, [MAILBOXES_MAX]);
    if (all.length > 0 && !probeMailbox) {
      return warn(
        `${counted(all.length, 'mailbox', 'mailboxes')} not checked: their passwords are encrypted`,
        'set FRONTDESK_SECRET_KEY',
      );
    }
    const failures: string[] = [];
    const left = [...all];
    const places = Array.from({ length: AT_ONCE }, async () => {
      for (let mailbox = left.shift(); mailbox; mailbox = left.shift()) {
        const failure = await probeMailbox?.(mailbox.subAccountId);
        failures.push(...(failure === undefined ? [] : [`${nameOf(mailbox)}: ${failure}`]));
      }
    });
    await Promise.all(places);
    const [lost] = await rows<{ skipped: number }>(SKIPPED);
    const skipped = lost?.skipped ?? 0;
    const found = all.length === 0 ? 'none in use' : `${all.length} open`;
    if (failures.length === 0 && skipped > 0) {
      return warn(
        `${found}; ${counted(skipped, 'mail')} skipped, because of size or content`,
        'search the log of the worker for "mail skipped", and look for the mails in the mailbox',
      );
    }
    return failures.length > 0
      ? warn(
          `${failures.length} of ${all.length} cannot be opened; ${failures.sort().join('; ')}`,
          'fix imap of the email channel in the manifest; mail that arrived meanwhile is read once the mailbox opens',
        )
      : ok(found);
  },
};

/** Of mailboxes that skipped one in the last week: a warning that stays is not read. */
const SKIPPED = `select coalesce(sum(skipped), 0)::int as skipped from mailboxes
  where skipped_at > now() - interval '7 days'`;

interface Mailbox {
  readonly subAccountId: string;
  readonly name: string;
  readonly host: string;
}

const nameOf = ({ name, host }: Mailbox): string => `${name} at ${host}`;

/** The mailboxes that workers read: sandboxes have none. */
const MAILBOXES = `
  select s.id as "subAccountId", s.name, c.settings -> 'imap' ->> 'host' as host
  from channels c
  join sub_accounts s on s.id = c.sub_account_id and s.deleted_at is null and not s.sandbox
  where c.channel = 'email' and jsonb_typeof(c.settings -> 'imap') = 'object'
  order by s.id limit $1`;
