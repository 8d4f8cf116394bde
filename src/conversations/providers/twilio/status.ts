import type { Failing } from '../../messages/send.ts';

type Change =
  | { readonly status: 'sent' | 'delivered' | 'read' }
  | (Failing & { readonly status: 'failed' });

/**
 * What a status of Twilio's says of a message; nothing where it is still on its way (`accepted`,
 * `queued`, `scheduled`, `sending`, contract 5).
 */
export function twilioChange(status: unknown, errorCode: unknown): Change | undefined {
  switch (status) {
    case 'sent':
    case 'delivered':
    case 'read':
      return { status };
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return { status: 'failed', ...failingBy(status, errorCode) };
    default:
      return undefined;
  }
}

function failingBy(status: string, code: unknown): Failing {
  const isGiven =
    (typeof code === 'string' || typeof code === 'number') && /^\d{4,6}$/.test(`${code}`);
  return isGiven
    ? {
        errorCode: `${code}`,
        errorMessage: `Twilio: ${status}, https://www.twilio.com/docs/errors/${code}`,
      }
    : { errorCode: status, errorMessage: `Twilio: ${status}` };
}
