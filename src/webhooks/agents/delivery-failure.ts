import type { View } from '#core/work.ts';

/** What a receiver failed with. Nothing of its response is shown: the caller chose the address. */
export type DeliveryFailure =
  | 'connection_refused'
  | 'timeout'
  | 'tls_error'
  | 'http_4xx'
  | 'http_5xx'
  | 'challenge_failed';

const HTTP_CLIENT_ERROR = 400;
const HTTP_SERVER_ERROR = 500;

/** Returns the category of SEP-3415 for a request without a response of 2xx. */
export function failureOf(status: number | null, error: string | null): DeliveryFailure {
  if (status !== null && status >= HTTP_SERVER_ERROR) {
    return 'http_5xx';
  }
  if (status !== null) {
    return status >= HTTP_CLIENT_ERROR ? 'http_4xx' : 'challenge_failed';
  }
  if (error?.startsWith('TLS: ')) {
    return 'tls_error';
  }
  return /within|does not respond/.test(error ?? '') ? 'timeout' : 'connection_refused';
}

/** Returns the failure of the last attempt; null if it succeeded, or there was none. */
export async function lastFailure(
  view: View,
  subscriptionId: string,
): Promise<DeliveryFailure | null> {
  const [last] = await view.rows<LastAttempt>(LAST, [view.subAccountId, subscriptionId]);
  return last?.status === 'failed' ? failureOf(last.responseStatus, last.error) : null;
}

interface LastAttempt {
  readonly status: string;
  readonly responseStatus: number | null;
  readonly error: string | null;
}

const LAST = `select status, response_status as "responseStatus", error from webhook_deliveries
  where sub_account_id = $1 and subscription_id = $2 and status <> 'pending'
  order by created_at desc, id desc limit 1`;
