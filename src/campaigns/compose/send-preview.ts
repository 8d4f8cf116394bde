import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Outbound } from '#core/outbound.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { findContactByEmail } from '../../contacts/find-by-email.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { carrierOf, hasProvider } from '../../conversations/channels/channel.store.ts';
import { isProvider, openCampaignProvider } from '../delivery/campaign-provider.ts';
import { mergeMail, type PreviewedMail } from './preview-for-audience.ts';
import { readWording, EXAMPLE_CONTACT } from './show-preview.ts';
import { linksOf, UNSUBSCRIBE } from './campaign-links.ts';

interface Preview {
  readonly campaignId: string;
  readonly to: string;
  readonly secrets: Secrets;
  readonly baseUrl: string;
  readonly outboundAllow: readonly string[];
  readonly outbound: Pick<Outbound, 'send'>;
}

/** Whether the sub-account is a sandbox, which sends no preview. */
export const isSandbox = async (view: View): Promise<boolean> =>
  (await carrierOf(view, 'email')) === 'sandbox';

/** Returns the mail of a preview to one address, without sending it. Throws NOT_FOUND. */
export async function mergePreview(
  view: View,
  { campaignId, to }: Pick<Preview, 'campaignId' | 'to'>,
): Promise<PreviewedMail> {
  const contact = (await findContactByEmail(view, to)) ?? EXAMPLE_CONTACT;
  return mergeMail(view, await readWording(view, campaignId), contact);
}

/**
 * Sends a campaign's mail to one address, whatever the campaign's status. Nothing is recorded, and the
 * unsubscribe link leads to a 404. Throws if the mail server does not accept the mail.
 */
export async function sendPreview(view: View, preview: Preview): Promise<void> {
  const { campaignId, to, secrets, baseUrl, outboundAllow, outbound } = preview;
  const wording = await readWording(view, campaignId);
  if (!(await hasProvider(view, 'email'))) {
    throw new Fault('VALIDATION_ERROR', NO_SERVER);
  }
  const clock = () => view.now;
  const context = { secrets, outbound, outboundAllow, baseUrl, clock, isPreview: true };
  const provider = await openCampaignProvider(view, context);
  if (!isProvider(provider)) {
    throw notSent(provider);
  }
  try {
    const id = newId(view.now);
    const values = await valuesFor(view, to);
    const unsubscribeUrl = linksOf(
      UNSUBSCRIBE,
      secrets,
      baseUrl,
    )({
      subAccountId: view.subAccountId,
      id,
    });
    const send = provider.compile({ ...wording, id: campaignId });
    const outcome = await send({ id, email: to, values, unsubscribeUrl });
    if (outcome.result !== 'sent') {
      throw notSent(outcome);
    }
  } finally {
    provider.close();
  }
}

async function valuesFor(view: View, to: string) {
  const contact = (await findContactByEmail(view, to)) ?? EXAMPLE_CONTACT;
  return mergeValuesOf(contact, await customValuesOf(view));
}

const notSent = ({ errorMessage }: { readonly errorMessage: string }): Fault =>
  new Fault('VALIDATION_ERROR', `the preview was not sent: ${errorMessage}`);

const NO_SERVER =
  'the sub-account cannot send campaign mails: set up an email channel with the provider smtp or http (a sandbox never sends)';
