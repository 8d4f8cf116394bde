import { hash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { scope } from '#core/endpoint/keyed-endpoint.ts';
import { invalidField, notFound } from '#core/fault.ts';
import * as s from '#core/schema/schema.ts';
import type { Actor, View } from '#core/work.ts';
import { DAY_MS, MINUTE_MS } from '#lib/duration.ts';
import { admit } from '#platform/http/admission.ts';
import { readBrand } from '../../accounts/sub-accounts/brand.ts';
import { lastFailure } from '../../webhooks/agents/delivery-failure.ts';
import { safeCursor } from '../../webhooks/agents/safe-cursor.ts';
import {
  endByHandle,
  isConfirmed,
  saveAgentSubscription,
  type SavedSubscription,
} from '../../webhooks/agents/save-agent-subscription.ts';
import { scopeOfEvent } from '../../webhooks/feed/event-scopes.ts';
import { positionOf } from '../../webhooks/feed/feed-cursor.ts';
import { callHash } from '../calls/call-hash.ts';
import type { Agents } from '../calls/call-tool.ts';
import type { McpSession } from '../mcp/mcp-session.ts';
import { requireReading } from '../resources/transcript.ts';
import { verifyCallback } from './verify-callback.ts';

const URL_MAX = 2_048;

const followed = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  arguments: Type.Optional(s.request({ contactId: Type.Optional(s.uuid()) })),
};
const url = Type.String({ format: 'uri', maxLength: URL_MAX });

/** The parameters of `events/subscribe` (SEP-3415). */
export const subscribeParams = s.request({
  ...followed,
  delivery: s.request({
    mode: s.oneOf(['webhook']),
    url,
    secret: Type.String({ maxLength: 200 }),
  }),
  cursor: Type.Optional(s.nullable(Type.String({ minLength: 1, maxLength: 1_000 }))),
  maxAgeMs: Type.Optional(s.nullable(Type.Integer({ minimum: 0 }))),
  ttlMs: Type.Optional(s.nullable(Type.Integer({ minimum: 0 }))),
});

/** The parameters of `events/unsubscribe`. */
export const unsubscribeParams = s.request({
  ...followed,
  delivery: s.request({
    mode: Type.Optional(s.oneOf(['webhook'])),
    url,
    secret: Type.Optional(Type.String()),
  }),
});

type SubscribeParams = Static<typeof subscribeParams>;
type UnsubscribeParams = Static<typeof unsubscribeParams>;

const TTL_DEFAULT_MS = DAY_MS;
const TTL_MIN_MS = MINUTE_MS;
const TTL_MAX_MS = 30 * DAY_MS;

/**
 * Subscribes a callback to the events of one name, or refreshes the subscription. Counts as one write.
 * Throws FORBIDDEN without the scope of the event's noun, and VALIDATION_ERROR for a callback that
 * cannot be called or does not confirm that it wants the events.
 */
export async function subscribeEvents(
  agents: Agents,
  session: McpSession,
  params: SubscribeParams,
) {
  const { deps } = agents;
  const { delivery, name, cursor = null } = params;
  requireReading(session.policy);
  requireSecret(delivery.secret);
  const { caller, actor, view } = await callerOf(agents, session, name, 'events.subscribe');
  const { keyId, subAccountId } = caller;
  const from = cursor === null ? undefined : positionOf(deps.cursorSecret, view, cursor);
  const start = from === undefined ? undefined : await startOf(view, from, params.maxAgeMs);
  const expiresAt = expiryOf(params.ttlMs, view.now);
  const handle = handleOf(keyId, subAccountId, params);
  await confirmCallback(agents, view, keyId, handle, delivery);
  const { secrets } = deps.tools;
  const saved = await deps.transact(subAccountId, actor, (work) =>
    saveAgentSubscription(work, secrets, {
      keyId,
      handle,
      name,
      url: delivery.url,
      secret: delivery.secret,
      arguments: params.arguments ?? {},
      description: `MCP events of ${session.client}`.slice(0, DESCRIPTION_MAX),
      expiresAt,
      from: start?.position,
    }),
  );
  const after = deps.openView(subAccountId, deps.clock());
  return {
    id: handle,
    refreshBefore: expiresAt?.toISOString() ?? null,
    cursor: await safeCursor(after, secrets, saved.id),
    // A subscription that is served keeps its place, whatever the cursor of its refresh.
    truncated: saved.before?.status !== 'active' && start?.isCut === true,
    ...(await deliveryStatus(after, saved)),
  };
}

const DESCRIPTION_MAX = 500;

/** Ends a subscription. Throws NOT_FOUND if there is none. */
export async function unsubscribeEvents(
  agents: Agents,
  session: McpSession,
  params: UnsubscribeParams,
): Promise<Readonly<Record<string, unknown>>> {
  const { deps } = agents;
  const { caller, actor } = await callerOf(agents, session, params.name, 'events.unsubscribe');
  const { keyId, subAccountId } = caller;
  const handle = handleOf(keyId, subAccountId, params);
  if (!(await deps.transact(subAccountId, actor, (work) => endByHandle(work, handle)))) {
    throw notFound('subscription');
  }
  return {};
}

async function callerOf({ deps }: Agents, session: McpSession, name: string, operation: string) {
  const access = scope(scopeOfEvent(name));
  const { caller } = await admit(deps, { access, rate: 'write', cost: 1 }, session, {});
  const { keyId, keyPrefix, subAccountId } = caller;
  const { client, requestId } = session;
  const actor: Actor = { kind: 'agent', name: keyId, keyPrefix, client, requestId, operation };
  return { caller, actor, view: deps.openView(subAccountId, deps.clock()) };
}

const SECRET_MIN_BYTES = 24;
const SECRET_MAX_BYTES = 64;

function requireSecret(secret: string): void {
  const encoded = secret.slice('whsec_'.length);
  const bytes = Buffer.from(encoded, 'base64');
  const isWhole = bytes.toString('base64') === encoded;
  if (
    !secret.startsWith('whsec_') ||
    !isWhole ||
    bytes.length < SECRET_MIN_BYTES ||
    bytes.length > SECRET_MAX_BYTES
  ) {
    throw invalidField('/delivery/secret', 'must be whsec_ and base64 of 24 to 64 random bytes');
  }
}

/** The same call by the same key has the same handle; it is no secret. */
function handleOf(keyId: string, subAccountId: string, params: UnsubscribeParams): string {
  const { name, delivery, arguments: given = {} } = params;
  const parts = { keyId, subAccountId, url: delivery.url, given };
  return `sub_${hash('sha256', callHash(name, parts), 'hex').slice(0, HANDLE_DIGITS)}`;
}

const HANDLE_DIGITS = 32;

async function confirmCallback(
  { deps }: Agents,
  view: View,
  keyId: string,
  handle: string,
  callback: SubscribeParams['delivery'],
): Promise<void> {
  const { outbound } = deps.tools;
  const refusal = await outbound.refusal(callback.url);
  if (refusal !== undefined) {
    throw invalidField('/delivery/url', `is refused: ${refusal}`);
  }
  if (!(await isConfirmed(view, keyId, callback.url))) {
    const brand = (await readBrand(view))?.name ?? '';
    const { subAccountId } = view;
    const verified = { subAccountId, ...callback, handle, brand };
    await verifyCallback(outbound, verified, deps.clock());
  }
}

/** Returns when the subscription ends: as wished, between a minute and 30 days; null for never. */
function expiryOf(ttlMs: number | null | undefined, now: Date): Date | null {
  const wished = ttlMs === undefined ? TTL_DEFAULT_MS : ttlMs;
  return wished === null
    ? null
    : new Date(now.getTime() + Math.min(TTL_MAX_MS, Math.max(TTL_MIN_MS, wished)));
}

/** Returns from which position on events are wanted, and whether their age leaves out some. */
async function startOf(
  view: View,
  from: number,
  maxAgeMs: number | null | undefined,
): Promise<{ readonly position: number; readonly isCut: boolean }> {
  if (typeof maxAgeMs !== 'number') {
    return { position: from, isCut: false };
  }
  const oldest = new Date(view.now.getTime() - maxAgeMs);
  const [row] = await view.rows<{ position: number | null }>(LAST_TOO_OLD, [
    view.subAccountId,
    from,
    oldest,
  ]);
  const position = row?.position ?? from;
  return { position, isCut: position > from };
}

const LAST_TOO_OLD = `select max(position)::int8 as position from events
  where sub_account_id = $1 and position > $2 and occurred_at < $3`;

/** Returns how deliveries went before a refresh. */
async function deliveryStatus(view: View, { id, before }: SavedSubscription): Promise<object> {
  if (!before) {
    return {};
  }
  const { status, lastDeliveryAt, failingSince } = before;
  const lastError = await lastFailure(view, id);
  return {
    deliveryStatus: {
      active: status === 'active',
      lastDeliveryAt: lastDeliveryAt?.toISOString() ?? null,
      lastError,
      ...(lastError !== null && failingSince && { failedSince: failingSince.toISOString() }),
    },
  };
}
