import type { Occurrence } from '#core/event.ts';
import type { Work } from '#core/work.ts';
import { suppressAddress } from '../../contacts/consent/suppressions.ts';

interface Bounce {
  readonly mailId: string;
  readonly isHard: boolean;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
}

/** Sets the recipient of a bounced campaign mail to `failed`. A hard bounce suppresses the address. */
export async function failBounced(work: Work, { data }: Occurrence<Bounce>): Promise<void> {
  const { mailId, isHard, errorCode, errorMessage } = data;
  const [recipient] = await work.rows<{ address: string }>(RECIPIENT, [work.subAccountId, mailId]);
  if (!recipient) {
    return;
  }
  work.write(FAIL, [work.subAccountId, mailId, errorCode, errorMessage, work.now]);
  if (isHard) {
    await suppressAddress(work, { channel: 'email', address: recipient.address, reason: 'bounce' });
  }
}

const RECIPIENT = 'select address from campaign_recipients where sub_account_id = $1 and id = $2';

const FAIL = `update campaign_recipients
  set status = 'failed', error_code = $3, error_message = $4, settled_at = $5
  where sub_account_id = $1 and id = $2 and status in ('sent', 'unknown', 'sending')`;
