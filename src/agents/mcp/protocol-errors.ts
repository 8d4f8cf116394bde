import type { FaultCode } from '#core/fault.ts';
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
    const number = isUnknown && kind === 'resource' ? INVALID_PARAMS : CODES[code];
    throw new ProtocolError(number ?? INTERNAL_ERROR, message, {
      code,
      ...details,
      ...(isUnknown && { kind }),
      ...(Number.isFinite(wait) && { limit: 'rate', retryAfter: wait }),
    });
  }
}
