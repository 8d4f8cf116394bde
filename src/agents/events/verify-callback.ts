import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Fault } from '#core/fault.ts';
import type { Outbound } from '#core/outbound.ts';
import { SECOND_MS } from '#lib/duration.ts';
import { controlRequest } from '../../webhooks/agents/agent-request.ts';
import { failureOf, type DeliveryFailure } from '../../webhooks/agents/delivery-failure.ts';
import { userAgentOf } from '../../webhooks/deliveries/lease.ts';
import { signingKey } from '../../webhooks/deliveries/signature.ts';

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = 10 * SECOND_MS;
const READ_MAX_BYTES = 8_000;
const FIRST_REFUSED_STATUS = 300;

interface Callback {
  readonly subAccountId: string;
  readonly url: string;
  readonly secret: string;
  readonly handle: string;
  /** What the sub-account is called to the outside. */
  readonly brand: string;
}

/**
 * Sends a challenge that the callback must return: otherwise an agent could let Frontdesk call the
 * servers of strangers. Throws if it does not.
 */
export async function verifyCallback(
  outbound: Outbound,
  { subAccountId, url, secret, handle, brand }: Callback,
  now: Date,
): Promise<void> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const keys = { current: signingKey(secret) };
  const control = { handle, userAgent: userAgentOf(brand), keys, now } as const;
  const answer = await outbound.send({
    subAccountId,
    url,
    method: 'POST',
    isRepeatable: false,
    ...controlRequest({ type: 'verification', ...control }, { challenge }),
    timeoutMs: TIMEOUT_MS,
    readMaxBytes: READ_MAX_BYTES,
  });
  if ('failure' in answer) {
    throw refused(failureOf(null, answer.failure));
  }
  if (answer.status >= FIRST_REFUSED_STATUS) {
    throw refused(failureOf(answer.status, null));
  }
  if (!isEcho(answer.body, challenge)) {
    throw refused('challenge_failed');
  }
}

function isEcho(body: Buffer, challenge: string): boolean {
  let echoed: unknown;
  try {
    ({ challenge: echoed } = JSON.parse(body.toString()) as { readonly challenge?: unknown });
  } catch {
    return false;
  }
  const expected = Buffer.from(challenge);
  const given = Buffer.from(typeof echoed === 'string' ? echoed : '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const refused = (failure: DeliveryFailure): Fault =>
  new Fault(
    'VALIDATION_ERROR',
    `the callback did not return the challenge (${failure}); it must respond 200 with {"challenge": "…"} as it received it`,
    { reason: 'callback_failed', failure },
  );
