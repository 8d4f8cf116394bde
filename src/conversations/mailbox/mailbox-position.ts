import type { Database } from '#platform/database/database.ts';
import type { Work } from '#core/work.ts';
import type { LeaseHolder, Mailbox } from './mailbox-leases.ts';
import type { UidValidity } from './uid-validity.ts';

/** How far a mailbox is read. */
export interface Position {
  /** The last mail that was dealt with. */
  readonly lastUid: number;
  /** Of mails up to this one those are left alone that came before `since`. */
  readonly historyUid: number;
  readonly since: Date;
}

interface Placed extends UidValidity {
  readonly place: string;
}

type Rows = Pick<Database, 'rows'>;

/**
 * Where to go on. A mailbox that is opened for the first time begins at its end. One whose server
 * numbered its mails anew is read again as far back as mails may be missing: those that are known are
 * known by their Message-ID. Undefined where the turn is lost.
 */
export async function openPosition(
  { rows }: Rows,
  holder: LeaseHolder,
  { subAccountId, id }: Mailbox,
  { place, uidValidity, uidNext }: Placed,
): Promise<Position | undefined> {
  const values = [subAccountId, id, holder, place, String(uidValidity), uidNext - 1];
  const [position] = await rows<Position>(OPEN, values);
  return position;
}

/** Days that a look at the mailbox may have missed something. */
const LOOK_BACK = `interval '2 days'`;

/** The times of mails are whole seconds. */
const THIS_SECOND = `date_trunc('second', now())`;

const OPEN = `update mailboxes set
    place = $4, uid_validity = $5::bigint,
    last_uid = case when place is distinct from $4 then $6::bigint
      when uid_validity <> $5::bigint then 0 else last_uid end,
    history_uid = case when place is distinct from $4 then 0
      when uid_validity <> $5::bigint then $6::bigint else history_uid end,
    since = case when place is distinct from $4 then ${THIS_SECOND}
      when uid_validity <> $5::bigint then greatest(since, seen_at - ${LOOK_BACK}) else since end,
    seen_at = case when place is distinct from $4 then now() else seen_at end
  where sub_account_id = $1 and id = $2 and holder = $3
  returning last_uid as "lastUid", history_uid as "historyUid", since`;

/** Says that everything up to the UID is dealt with; false where the turn is lost. */
export async function advance(
  { rows }: Rows | Work,
  holder: LeaseHolder,
  { subAccountId, id }: Mailbox,
  uid: number,
): Promise<boolean> {
  return (await rows(ADVANCE, [subAccountId, id, holder, uid])).length > 0;
}

const ADVANCE = `update mailboxes set last_uid = $4::bigint, seen_at = now()
  where sub_account_id = $1 and id = $2 and holder = $3
  returning id`;
