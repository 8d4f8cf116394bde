import { type CallResponse, responseOf, withData, errorText } from './response.ts';
import { hash } from 'node:crypto';
import type { SessionCallEndpoint } from '#core/endpoint/console-endpoint.ts';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { PublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Fault, type FaultCode, FAULTS, invalid } from '#core/fault.ts';
import type { Actor, Transact, View, Work } from '#core/work.ts';

interface RepeatableWrite {
  readonly endpoint: KeyedEndpoint | SessionCallEndpoint | PublicEndpoint;
  readonly repeatable: Repeatable;
  readonly subAccountId: string;
  readonly actor: Actor;
  readonly run: (work: Work) => Promise<Reply>;
}

/** Runs a write, or returns the stored response of an earlier request with the same idempotency key. */
export async function writeOnce(
  transact: Transact,
  request: RepeatableWrite,
): Promise<CallResponse> {
  const { endpoint, repeatable, subAccountId, actor, run } = request;
  let started = false;
  try {
    return await transact(
      subAccountId,
      actor,
      async (work) => {
        const stored = await claim(work, repeatable);
        started = stored === undefined;
        return stored ? { stored } : { reply: await run(work) };
      },
      async (view, { stored, reply }): Promise<CallResponse> => {
        if (stored) {
          return { status: stored.status, text: stored.body, replayed: true };
        }
        const outcome = await withData(view, reply);
        const response = responseOf(endpoint, outcome);
        const text = withoutSecrets(endpoint, response.text.toString());
        await keep(view, repeatable, response.status, text);
        return response;
      },
    );
  } catch (error) {
    // Refusals of visitors are not stored: visitors could fill the table with invented ids.
    const mayBeStored = started && actor.kind !== 'visitor';
    if (mayBeStored && error instanceof Fault && isStored(error)) {
      await storeRefusal(transact, request, error);
    }
    throw error;
  }
}

/** The rollback has released the claim: another request may have claimed the key meanwhile and wins. */
async function storeRefusal(
  transact: Transact,
  { repeatable, subAccountId, actor }: RepeatableWrite,
  refusal: Fault,
): Promise<void> {
  try {
    await transact(subAccountId, actor, async (work) => {
      if (!(await claim(work, repeatable))) {
        await keep(work, repeatable, refusal.status, errorText(refusal));
      }
    });
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
  }
}

const KEY_MAX = 255;

/** A POST with an idempotency key, which is valid for one API key, sub-account, path, body and query. */
export interface Repeatable {
  readonly key: string;
  readonly keyId: string;
  readonly path: string;
  readonly bodyHash: string;
}

/** The response to the first request, which is stored and replayed for 24 hours. */
interface StoredResponse {
  readonly status: number;
  readonly body: string;
}

interface RepeatableCall extends Omit<Repeatable, 'bodyHash'> {
  readonly body: Buffer;
  readonly query?: URLSearchParams;
}

export function repeatableOf({ key, keyId, path, body, query }: RepeatableCall): Repeatable {
  if (key.length === 0 || key.length > KEY_MAX) {
    const message = `must have 1 to ${KEY_MAX} characters`;
    throw invalid([{ in: 'header', path: '/Idempotency-Key', message }]);
  }
  const content = query?.size ? Buffer.concat([Buffer.from(`?${query.toString()}\n`), body]) : body;
  return { key, keyId, path, bodyHash: hash('sha256', content) };
}

/**
 * Claims the key for this transaction. Returns the stored response, or undefined for the first
 * request. The claim is an advisory lock, so that it ends with a killed process. Throws
 * IDEMPOTENCY_IN_PROGRESS or IDEMPOTENCY_MISMATCH.
 */
export async function claim(
  work: Work,
  { key, keyId, path, bodyHash }: Repeatable,
): Promise<StoredResponse | undefined> {
  const { subAccountId } = work;
  const [lock] = await work.rows<{ isOurs: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isOurs"',
    [JSON.stringify([subAccountId, keyId, path, key])],
  );
  if (!lock?.isOurs) {
    const message =
      'the first request with this Idempotency-Key is still running; send the same request again in a second';
    throw new Fault('IDEMPOTENCY_IN_PROGRESS', message);
  }
  const [stored] = await work.rows<StoredResponse & { bodyHash: string }>(
    `select status, body, body_hash as "bodyHash" from idempotency_keys
     where sub_account_id = $1 and key_id = $2 and path = $3 and key = $4 and expires_at > $5`,
    [subAccountId, keyId, path, key, work.now],
  );
  if (stored && stored.bodyHash !== bodyHash) {
    const message = 'this Idempotency-Key was used with another body or query; use a new one';
    throw new Fault('IDEMPOTENCY_MISMATCH', message);
  }
  return stored;
}

/** Stores the response, which omits secrets that are shown once. */
export async function keep(
  view: View,
  { key, keyId, path, bodyHash }: Repeatable,
  status: number,
  body: string,
): Promise<void> {
  await view.rows(
    `insert into idempotency_keys
       (sub_account_id, key_id, path, key, body_hash, status, body, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz + interval '24 hours')
     on conflict (sub_account_id, key_id, path, key) do update
     set body_hash = excluded.body_hash, status = excluded.status, body = excluded.body,
       expires_at = excluded.expires_at`,
    [view.subAccountId, keyId, path, key, bodyHash, status, body, view.now],
  );
}

/**
 * Returns the text of a response without the members that the endpoint shows only once. Other texts stay
 * as they are, to the byte.
 */
export function withoutSecrets(
  { shownOnce = [] }: { readonly shownOnce?: readonly string[] },
  text: string,
): string {
  if (shownOnce.length === 0) {
    return text;
  }
  const envelope = JSON.parse(text) as { readonly data?: unknown };
  if (typeof envelope.data === 'object' && envelope.data !== null) {
    shownOnce.forEach((name) => void Reflect.deleteProperty(envelope.data as object, name));
  }
  return JSON.stringify(envelope);
}

/** Refusals are stored, unless the same request may succeed later or has to be sent differently. */
const isStored = (fault: Fault): boolean =>
  fault.status < FAULTS.INTERNAL_ERROR && !PASSING.has(fault.code);

const PASSING = new Set<FaultCode>([
  'RATE_LIMITED',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_MISMATCH',
  'UNSUPPORTED_MEDIA_TYPE',
]);
