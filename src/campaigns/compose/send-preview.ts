import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import type { Outbound } from '#core/outbound.ts';
import type { Secrets } from '#core/secrets.ts';
import type { View } from '#core/work.ts';
import { customValuesOf } from '../../accounts/sub-accounts/sub-account.store.ts';
import { findContactByEmail } from '../../contacts/find-by-email.ts';
import { mergeValuesOf } from '../../contacts/contact.store.ts';
import { carrierOf, hasProvider } from '../../conversations/channels/channel.store.ts';
import { PRIVATE_ADDRESS } from '../../conversations/providers/http-outcome.ts';
import {
  isProvider,
  openCampaignProvider,
  type NoProvider,
} from '../delivery/campaign-provider.ts';
import {
  chosenContact,
  mergeMail,
  type PreviewChoice,
  type PreviewedMail,
} from './preview-for-audience.ts';
import { readWording, EXAMPLE_CONTACT } from './show-preview.ts';
import { linksOf, UNSUBSCRIBE } from './campaign-links.ts';

interface Preview {
  readonly campaignId: string;
  /** The contact that the mail is merged for; by default the one with the address. */
  readonly choice?: PreviewChoice | undefined;
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
  { campaignId, to, choice }: Pick<Preview, 'campaignId' | 'to' | 'choice'>,
): Promise<PreviewedMail> {
  const contact = await contactFor(view, to, choice);
  return mergeMail(view, await readWording(view, campaignId), contact);
}

/**
 * Sends a campaign's mail to one address, whatever the campaign's status. Nothing is recorded, and the
 * unsubscribe link leads to a 404. Throws if the mail server does not accept the mail.
 */
export async function sendPreview(view: View, preview: Preview): Promise<void> {
  const { campaignId, to, choice, secrets, baseUrl, outboundAllow, outbound } = preview;
  const wording = await readWording(view, campaignId);
  if (await isSandbox(view)) {
    throw new Fault('VALIDATION_ERROR', SANDBOX);
  }
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
    const contact = await contactFor(view, to, choice);
    const values = mergeValuesOf(contact, await customValuesOf(view));
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

const contactFor = async (view: View, to: string, choice: PreviewChoice = {}) =>
  (await chosenContact(view, choice)) ?? (await findContactByEmail(view, to)) ?? EXAMPLE_CONTACT;

type Failed = Pick<NoProvider, 'errorCode' | 'errorMessage'>;

const notSent = ({ errorCode, errorMessage }: Failed): Fault => {
  const hint = errorCode === PRIVATE_ADDRESS ? `; ${ALLOW_HINT}` : '';
  return new Fault('VALIDATION_ERROR', `the preview was not sent: ${errorMessage}${hint}`);
};

const ALLOW_HINT =
  'the operator can allow its network with FRONTDESK_OUTBOUND_ALLOW, for example 10.0.0.0/8, for the server, the workers and commands in the terminal';

const NO_SERVER =
  'the sub-account cannot send campaign mails: set up an email channel with the provider smtp or http';

const SANDBOX =
  'a sandbox sends no preview; open the previewUrl of the campaign, which frontdesk admin campaign show prints';
