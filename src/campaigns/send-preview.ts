import { Fault } from '#kit/fault.ts';
import { newId } from '#kit/id.ts';
import type { Secrets } from '#kit/secrets.ts';
import type { View } from '#kit/work.ts';
import { customValuesOf } from '../accounts/custom-values.ts';
import { normalised } from '../contacts/addresses.ts';
import { mergeValuesOf } from '../contacts/merge-values.ts';
import { carrierOf } from '../conversations/channel-configuration.ts';
import { readChannel } from '../conversations/read-channel.ts';
import { compileMail, envelopeOf, senderOfChannel } from './compile-mail.ts';
import { linesOf } from './lines-of.ts';
import { readWording } from './read-wording.ts';
import { SOMEBODY } from './show-preview.ts';
import { linksOf, UNSUBSCRIBE } from './signed-link.ts';

interface Preview {
  readonly campaignId: string;
  readonly to: string;
  readonly secrets: Secrets;
  readonly baseUrl: string;
  readonly outboundAllow: readonly string[];
}

/**
 * Mails a campaign to one address, as it is, whatever the campaign's status; nothing is written down
 * and the link in it leads nowhere. Throws where the mail server does not take it.
 */
export async function sendPreview(view: View, preview: Preview): Promise<void> {
  const { campaignId, to, secrets, baseUrl, outboundAllow } = preview;
  const wording = await readWording(view, campaignId);
  const carrier = await carrierOf(view, 'email');
  const setup = carrier === 'smtp' ? await readChannel(view, secrets, 'email') : undefined;
  if (!setup) {
    throw new Fault('VALIDATION_ERROR', NO_SERVER);
  }
  const found = await linesOf(setup, outboundAllow);
  if (!('lines' in found)) {
    throw new Fault('VALIDATION_ERROR', `the preview was not sent: ${found.errorMessage}`);
  }
  const sender = senderOfChannel(setup, view.now);
  const [contact = SOMEBODY] = await view.rows<typeof SOMEBODY>(CONTACT, [
    view.subAccountId,
    normalised(to),
  ]);
  const id = newId(view.now);
  const links = linksOf(UNSUBSCRIBE, secrets, baseUrl);
  const mail = compileMail(
    wording,
    sender,
  )({
    id,
    email: to,
    values: mergeValuesOf(contact, await customValuesOf(view)),
    unsubscribeUrl: links({ subAccountId: view.subAccountId, id }),
  });
  const outcome = await found.lines.send(envelopeOf(sender, id, to), mail);
  found.lines.close();
  if (outcome.result !== 'sent') {
    throw new Fault('VALIDATION_ERROR', `the preview was not sent: ${outcome.errorMessage}`);
  }
}

const NO_SERVER =
  'the sub-account has no mail server of its own: a sandbox sends nothing, and campaigns need an email channel by smtp';

const CONTACT = `select c.first_name as "firstName", c.last_name as "lastName", c.email, c.phone,
    c.company
  from contact_emails e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and e.email = $2 and c.deleted_at is null`;
