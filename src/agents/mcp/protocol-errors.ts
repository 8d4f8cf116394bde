import type { FaultCode } from '#core/fault.ts';
import { SUBSCRIPTIONS_MAX } from '../../webhooks/subscriptions/create-subscription.ts';
import type { Agents } from '../calls/call-tool.ts';
import type { Library } from './library.ts';

/** Error codes of SEP-3415, for requests that are no tool calls. */
const CODES: Partial<Record<FaultCode, number>> = {
  NOT_FOUND: -32_011,
  UNAUTHORIZED: -32_012,
  KEY_EXPIRED: -32_012,
  KEY_REVOKED: -32_012,
  FORBIDDEN: -32_012,
  RATE_LIMITED: -32_013,
  VALIDATION_ERROR: -32_602,
};
const INTERNAL_ERROR = -32_603;
/** `resources/read` of an unknown address (revision 2026-07-28). */
const INVALID_PARAMS = -32_602;

interface Context {
  readonly agents: Agents;
  readonly requestId: string;
  /** What an unknown name or address is. */
  readonly kind: 'event' | 'resource';
}

/** Runs a request and turns its refusal into an error of the protocol, with Frontdesk's own code. */
export async function withProtocolErrors<T>(
  { ProtocolError }: Library,
  { agents, requestId, kind }: Context,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, message, details, headers } = agents.faultOf(error, requestId);
    const wait = Number(headers['retry-after']);
    const isUnknown = code === 'NOT_FOUND';
    const special = specialOf(details);
    const number = isUnknown && kind === 'resource' ? INVALID_PARAMS : CODES[code];
    throw new ProtocolError(special?.number ?? number ?? INTERNAL_ERROR, message, {
      code,
      ...details,
      ...special?.data,
      ...(isUnknown && { kind: message.startsWith('subscription ') ? 'subscription' : kind }),
      ...(Number.isFinite(wait) && { limit: 'rate', retryAfter: wait }),
    });
  }
}

interface Special {
  readonly number: number;
  readonly data: object;
}

/** Refusals of subscriptions, which SEP-3415 tells apart from wrong parameters. */
function specialOf(details: object | undefined): Special | undefined {
  const { reason, failure } = { ...details } as { readonly reason?: string; failure?: string };
  if (reason === 'callback_failed') {
    return { number: CALLBACK_FAILED, data: { reason: failure } };
  }
  return reason === 'too_many_subscriptions'
    ? { number: EXHAUSTED, data: { limit: 'subscriptions', max: SUBSCRIPTIONS_MAX } }
    : undefined;
}

const EXHAUSTED = -32_013;
const CALLBACK_FAILED = -32_015;
