import { Fault } from '#core/fault.ts';
import type { Logger } from '../../config/logger.ts';
import { isDatabaseAway } from '../../database/database-errors.ts';

const RETRY_AFTER_SECONDS = '5';

/** The fault a thrown thing means. What nobody meant is logged whole and answers INTERNAL_ERROR. */
export function faultOf(error: unknown, log: Logger, requestId: string): Fault {
  if (error instanceof Fault) {
    return error;
  }
  if (isDatabaseAway(error)) {
    log.warn({ err: error, requestId }, 'database away');
    return new Fault('SERVICE_UNAVAILABLE', 'the database cannot be reached', undefined, {
      'retry-after': RETRY_AFTER_SECONDS,
    });
  }
  log.error({ err: error, requestId }, 'request failed');
  return new Fault('INTERNAL_ERROR', `something went wrong here; request ${requestId}`);
}

export const errorText = ({ code, message, details }: Fault): string =>
  JSON.stringify({ error: { code, message, ...(details && { details }) } });
