import type { OutboundAnswer } from '#core/outbound.ts';
import type { SendResult, SendContext, Provider } from '../provider.ts';
import type { ChannelSetup } from '../../channels/channel.store.ts';
import { composeMail } from '../compose-mail.ts';
import {
  addressOf,
  HTTP_LIMITS,
  isPassing,
  isTaken,
  notTaken,
  objectIn,
  outcomeOf,
  unanswered,
} from '../http-outcome.ts';
import { objectOf } from '../json-access.ts';
import { MINUTE_MS, HOUR_MS } from '#lib/duration.ts';
import { idleCache } from '#platform/database/idle-cache.ts';

const GMAIL_API = 'https://gmail.googleapis.com';
const SEND = '/gmail/v1/users/me/messages/send';

/** Sends the message as a mail of the refresh token's Google account. */
export const sendViaGmail: Provider = async (setup, message, context) => {
  const { mail } = await composeMail(setup, message);
  return send(setup, mail.toString('base64url'), context);
};

async function send(
  setup: ChannelSetup,
  raw: string,
  context: SendContext,
  isRepeated = false,
): Promise<SendResult> {
  const granted = await accessTokenOf(setup, context);
  if ('result' in granted) {
    return granted;
  }
  const { tools, signal } = context;
  const answer = await tools.outbound.send({
    ...HTTP_LIMITS,
    subAccountId: setup.subAccountId,
    url: addressOf(setup.settings['apiBaseUrl'], GMAIL_API) + SEND,
    method: 'POST',
    isRepeatable: false,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Frontdesk/1.0',
      authorization: `Bearer ${granted.token}`,
    },
    body: JSON.stringify({ raw }),
    signal,
  });
  if ('status' in answer && answer.status === 401 && !isRepeated) {
    // A token may be revoked before it expires.
    forgetToken(granted);
    return send(setup, raw, context, true);
  }
  return outcomeOf(answer, context.clock(), RULES);
}

/** Too many calls, which Gmail may also report with 403. */
const THROTTLED = new Set(['rateLimitExceeded', 'userRateLimitExceeded']);

const RULES = {
  provider: 'Gmail',
  idMember: 'id',
  explain({ status, body }: OutboundAnswer) {
    const { message, errors } = objectOf(objectIn(body)['error']);
    const detail = typeof message === 'string' ? `: ${message}` : '';
    return {
      errorCode: String(status),
      errorMessage: `Gmail returned ${status}${detail}`,
      isPassing: isPassing(status) || reasonsIn(errors).some((reason) => THROTTLED.has(reason)),
    };
  },
};

const reasonsIn = (errors: unknown): string[] =>
  Array.isArray(errors)
    ? errors.map((one: { reason?: unknown } | null) => String(one?.reason))
    : [];

const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token';
/** A token is renewed this long before it expires. */
const SPARE_MS = MINUTE_MS;
const USUAL_LIFE_S = 3_600;

interface Token {
  readonly token: string;
  until: number;
}

type Granted = Token | SendResult;

interface CachedToken {
  readonly version: number;
  /** Never rejects. */
  readonly granted: Promise<Granted>;
  settled: Granted | undefined;
}

/** A token that is not used for this long is dropped; Google's tokens live for an hour. */
const KEPT_MS = HOUR_MS;

/** By channel; parallel sends wait for the same token. */
const tokens = idleCache<CachedToken>({
  forMs: KEPT_MS,
  clock: () => performance.now(),
  dispose: () => undefined,
});

/** Returns an access token of the account, or why there is none. */
async function accessTokenOf(setup: ChannelSetup, context: SendContext): Promise<Granted> {
  const version = setup.updatedAt.getTime();
  const isCurrent = (known: CachedToken) => known.version === version && !isOver(known);
  return tokens.use(setup.id, isCurrent, () => requestToken(version, setup, context)).granted;
}

/** The token has expired, or the request for it failed. */
const isOver = ({ settled }: CachedToken): boolean =>
  settled !== undefined && !('token' in settled && settled.until > Date.now());

function requestToken(version: number, setup: ChannelSetup, context: SendContext): CachedToken {
  const kept: CachedToken = {
    version,
    granted: requestAccessToken(setup, context),
    settled: undefined,
  };
  const settle = (granted: Granted) => {
    kept.settled = granted;
  };
  kept.granted.then(settle, () => settle(NO_TOKEN));
  return kept;
}

/** Marks a token that Google refused before it expired. */
function forgetToken(token: Token): void {
  token.until = 0;
}

/** Asks Google for an access token of the account. Returns it, or why there is none. */
export async function requestAccessToken(
  { subAccountId, settings, secrets }: ChannelSetup,
  { tools, clock }: Pick<SendContext, 'tools' | 'clock'>,
): Promise<Granted> {
  const answer = await tools.outbound.send({
    ...HTTP_LIMITS,
    subAccountId,
    url: tokenUrlOf(settings),
    method: 'POST',
    isRepeatable: false,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Frontdesk/1.0',
    },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: String(settings['clientId']),
      client_secret: secrets['clientSecret'] ?? '',
      refresh_token: secrets['refreshToken'] ?? '',
    }).toString(),
  });
  if ('failure' in answer) {
    // No message was sent yet, whatever happened to the token request.
    return unanswered({ ...answer, wasSent: false });
  }
  return isTaken(answer.status) ? tokenIn(answer) : refusalOf(answer, clock());
}

/** A base URL that replaces Google's is used for tokens, too. */
function tokenUrlOf({ tokenUrl, apiBaseUrl }: ChannelSetup['settings']): string {
  const usual =
    typeof apiBaseUrl === 'string' ? `${addressOf(apiBaseUrl, '')}/token` : GOOGLE_TOKENS;
  return typeof tokenUrl === 'string' ? tokenUrl : usual;
}

function tokenIn({ body }: OutboundAnswer): Granted {
  const { access_token: token, expires_in: seconds } = objectIn(body);
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    return NO_TOKEN;
  }
  const life = typeof seconds === 'number' && seconds > 0 ? seconds : USUAL_LIFE_S;
  return { token, until: Date.now() + life * 1_000 - SPARE_MS };
}

const NO_TOKEN = {
  result: 'again',
  errorCode: 'invalid_answer',
  errorMessage: 'Google returned no access token',
} as const;

function refusalOf(answer: OutboundAnswer, now: Date): SendResult {
  const { error, error_description: description } = objectIn(answer.body);
  const code = typeof error === 'string' ? error : String(answer.status);
  const said = typeof description === 'string' ? `: ${description}` : '';
  return code === 'invalid_grant'
    ? { result: 'refused', errorCode: 'channel_disconnected', errorMessage: DISCONNECTED + said }
    : notTaken(answer, now, {
        errorCode: code,
        errorMessage: `Google returned ${answer.status} ${code} for the refresh token${said}`,
      });
}

const DISCONNECTED = 'Google no longer accepts the refresh token; connect the account again';
