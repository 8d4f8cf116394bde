import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { occurrenceBody } from '../agents/agent-request.ts';
import { eventBody, type Account, type StoredEvent } from '../feed/event-body.ts';
import { deliveryHeaders } from './delivery-request.ts';
import { userAgentOf } from './lease.ts';
import { signingKey } from './signature.ts';

/** What an attempt stores besides its row, so that its request can be shown as it was sent. */
export interface SentRecord {
  readonly url: string;
  readonly userAgent: string;
  /** In epoch milliseconds: a repeated attempt is sent later than its row was created. */
  readonly at: number;
  /** Whether it was signed with the previous secret, too. */
  readonly rotating?: true;
  /** To the receiver of an agent, whose body has the cursor. */
  readonly agent?: { readonly handle: string; readonly cursor: string };
  /** Of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

const HEADERS_MAX = 30;
const VALUE_MAX = 300;
const TOTAL_MAX = 2_000;

/** Returns the headers of a response that are stored: at most 2,000 characters, without cookies. */
export function storedHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const stored: Record<string, string> = {};
  let count = 0;
  let left = TOTAL_MAX;
  // Hot: bench deliver-webhooks. A loop over the members, without copies.
  for (const name in headers) {
    const value = (headers[name] ?? '').slice(0, VALUE_MAX);
    left -= name.length + value.length;
    count += 1;
    if (left < 0 || count > HEADERS_MAX) {
      break;
    }
    if (name !== 'set-cookie') {
      stored[name] = value.replaceAll('\0', '');
    }
  }
  return stored;
}

export interface ShownRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the event is older than 30 days and was deleted. */
  readonly body: string | null;
}

export interface ShownResponse {
  readonly status: number;
  /** Null for attempts of releases that did not store them. */
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string;
}

/** Returns the request of an attempt as it was sent, and the response; null if there is none. */
export async function readSentRequest(
  view: View,
  deliveryId: string,
): Promise<{ readonly request: ShownRequest | null; readonly response: ShownResponse | null }> {
  const [row] = await view.rows<SentRow>(READ, [view.subAccountId, deliveryId]);
  if (!row) {
    throw notFound('delivery');
  }
  const { status, responseStatus, responseBody, sent } = row;
  return {
    request: status === 'pending' ? null : requestOf(row, deliveryId),
    response:
      responseStatus === null
        ? null
        : { status: responseStatus, headers: sent?.headers ?? null, body: responseBody ?? '' },
  };
}

interface SentRow extends Account, Omit<StoredEvent, 'occurredAt' | 'data'> {
  readonly eventId: string;
  readonly occurredAt: Date | null;
  readonly data: string | null;
  readonly status: string;
  readonly createdAt: Date;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly sent: SentRecord | null;
  /** Of the subscription today. */
  readonly url: string;
  readonly brand: string;
}

const SECRET = signingKey('whsec_bWFza2Vk');
const SIGNATURE = /^(?:webhook-signature|x-webhook-signature)/;

/** Attempts of earlier releases have the URL of today. */
function requestOf(row: SentRow, id: string): ShownRequest {
  const { name, eventId, occurredAt, data, createdAt, url, brand } = row;
  const sent = row.sent ?? { url, userAgent: userAgentOf(brand), at: createdAt.getTime() };
  const agent = 'agent' in sent ? sent.agent : undefined;
  const body =
    occurredAt !== null && data !== null ? bodyOf(row, { ...row, occurredAt, data }, agent) : null;
  const keys = { current: SECRET, ...('rotating' in sent && { previous: SECRET }) };
  const headers = deliveryHeaders(
    { userAgent: sent.userAgent, keys, agent },
    { name, eventId },
    id,
    {
      body: body ?? '',
      timestampMs: sent.at,
    },
  );
  const masked = Object.entries(headers).map(([header, value]) => [
    header,
    SIGNATURE.test(header) ? value.replaceAll(/(?<=sha256=|v1,)[^ ]+/g, '***') : value,
  ]);
  return { url: sent.url, headers: Object.fromEntries(masked), body };
}

const bodyOf = (
  account: Account,
  event: StoredEvent & { readonly eventId: string },
  agent: SentRecord['agent'],
): string => (agent ? occurrenceBody(account, event, agent.cursor) : eventBody(account, event));

const READ = `select d.event as name, d.event_id as "eventId", d.status, d.created_at as "createdAt",
    d.response_status as "responseStatus", d.response_body as "responseBody", d.sent,
    s.url, a.id as "subAccountId", a.location_id as "locationId", coalesce(a.brand, a.name) as brand,
    e.occurred_at as "occurredAt", e.contact_id as "contactId", e.data::text as data
  from webhook_deliveries d
  join webhook_subscriptions s on s.sub_account_id = d.sub_account_id and s.id = d.subscription_id
  join sub_accounts a on a.id = d.sub_account_id
  left join events e on e.sub_account_id = d.sub_account_id and e.id = d.event_id
  where d.sub_account_id = $1 and d.id = $2`;
