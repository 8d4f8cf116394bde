import type { OutboundAnswer } from '#core/outbound.ts';
import type { Outgoing, Provider } from '../provider.ts';
import { addressOf, HTTP_LIMITS, isPassing, objectIn, outcomeOf } from '../http-outcome.ts';
import { objectOf } from '../json-access.ts';

/** Sends the message as the page's reply to a contact, by messenger or instagram. */
export const sendViaMeta: Provider = async (setup, message, { tools, signal, clock }) => {
  const { subAccountId, settings, secrets } = setup;
  const answer = await tools.outbound.send({
    ...HTTP_LIMITS,
    subAccountId,
    url: `${addressOf(settings['apiBaseUrl'], META.api)}/${String(settings['pageId'])}/messages`,
    method: 'POST',
    isRepeatable: false,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Frontdesk/1.0',
      // Not in the URL, which proxies write into their logs.
      authorization: `Bearer ${secrets['accessToken'] ?? ''}`,
    },
    body: JSON.stringify({
      recipient: { id: message.toAddress },
      messaging_type: 'RESPONSE',
      message: contentOf(message),
    }),
    signal,
  });
  return outcomeOf(answer, clock(), META);
};

/** Either a text or one file, which Meta fetches. */
function contentOf({ bodyText, files = [] }: Outgoing): object {
  const [file] = files;
  if (!file) {
    return { text: bodyText };
  }
  const [kind = ''] = file.type.split('/');
  const type = ['image', 'audio', 'video'].includes(kind) ? kind : 'file';
  return { attachment: { type, payload: { url: file.url, is_reusable: false } } };
}

/** Rate limits of the app, the user, the page or all: Meta reports them with 400 and 403. */
const THROTTLED = new Set([4, 17, 32, 613]);
const INVALID_TOKEN = 190;
/** "Outside of allowed window" of messenger and instagram. */
const OUTSIDE_WINDOW = new Set([2_018_278, 2_534_022]);

/** Meta's address, and how to interpret its responses. */
export const META = {
  api: 'https://graph.facebook.com/v23.0',
  provider: 'Meta',
  idMember: 'message_id',
  explain(answer: OutboundAnswer) {
    const { code, error_subcode: subcode, message } = objectOf(objectIn(answer.body)['error']);
    const isKnown = typeof code === 'number';
    const detail = typeof message === 'string' ? `: ${message}` : '';
    return {
      errorCode: String(isKnown ? code : answer.status),
      errorMessage: `${meaningOf(code, subcode) ?? `Meta returned ${answer.status}`}${detail}`,
      isPassing: isPassing(answer.status) || (isKnown && THROTTLED.has(code)),
    };
  },
};

function meaningOf(code: unknown, subcode: unknown): string | undefined {
  if (code === INVALID_TOKEN) {
    return 'Meta no longer accepts the access token; connect the page again';
  }
  return typeof subcode === 'number' && OUTSIDE_WINDOW.has(subcode)
    ? 'the contact has not written in the last 24 hours'
    : undefined;
}
