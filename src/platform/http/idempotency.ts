import type { CallResponse } from './headers.ts';
import { hash } from 'node:crypto';
import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { PublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Fault, type FaultCode, FAULTS, invalid } from '#core/fault.ts';
import { jsonText } from '#core/schema/json.ts';
import type { Actor, Transact, View, Work } from '#core/work.ts';
import { responseOf, withData } from './envelope.ts';
import { errorText } from './errors.ts';

interface Repeated {
  readonly endpoint: KeyedEndpoint | PublicEndpoint;
  readonly repeatable: Repeatable;
  readonly subAccountId: string;
  readonly actor: Actor;
  readonly run: (work: Work) => Promise<Reply>;
}

/** Writes like any change, but an answer that was given before is given again instead. */
export async function writeOnce(transact: Transact, repeated: Repeated): Promise<CallResponse> {
  const { endpoint, repeatable, subAccountId, actor, run } = repeated;
  let started = false;
  try {
    return await transact(
      subAccountId,
      actor,
      async (work) => {
        const kept = await claim(work, repeatable);
        started = kept === undefined;
        return kept ? { kept } : { reply: await run(work) };
      },
      async (view, { kept, reply }): Promise<CallResponse> => {
        if (kept) {
          return { status: kept.status, text: kept.body, replayed: true };
        }
        const outcome = await withData(view, reply);
        const answer = responseOf(endpoint, outcome);
        await keep(view, repeatable, answer.status, storedEnvelope(outcome, endpoint));
        return answer;
      },
    );
  } catch (error) {
    // Of a visitor nothing is kept but what he did: he may name what never was, without end.
    const mayBeKept = started && actor.kind !== 'visitor';
    if (mayBeKept && error instanceof Fault && isKept(error)) {
      await keepRefusal(transact, repeated, error);
    }
    throw error;
  }
}

/** The refused transaction is gone, and the claim with it; whoever claimed in between goes first. */
async function keepRefusal(
  transact: Transact,
  { repeatable, subAccountId, actor }: Repeated,
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

/** A POST that its caller may send again: bound to his key, the sub-account, path and body. */
export interface Repeatable {
  readonly key: string;
  readonly keyId: string;
  readonly path: string;
  readonly bodyHash: string;
}

/** What was answered first, as it is kept and replayed for 24 hours. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: string;
}

export function repeatableOf(key: string, keyId: string, path: string, body: Buffer): Repeatable {
  if (key.length === 0 || key.length > KEY_MAX) {
    const message = `must have 1 to ${KEY_MAX} characters`;
    throw invalid([{ in: 'header', path: '/Idempotency-Key', message }]);
  }
  return { key, keyId, path, bodyHash: hash('sha256', body) };
}

/** Of a visitor, who has no key of ours: known by his secret, of which nothing but a hash is kept. */
export const visitorId = (secret: string): string =>
  hash('sha256', secret).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/**
 * Claims the key for this transaction. Answers what was kept for it, or nothing where this call is
 * the first. The claim is an advisory lock, so that it dies with a killed process.
 */
export async function claim(work: Work, asked: Repeatable): Promise<KeptAnswer | undefined> {
  const { subAccountId } = work;
  const [lock] = await work.rows<{ held: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held',
    [JSON.stringify([subAccountId, asked.keyId, asked.path, asked.key])],
  );
  if (!lock?.held) {
    throw new Fault('IDEMPOTENCY_IN_PROGRESS', 'the first request with this key still runs');
  }
  const [kept] = await work.rows<KeptAnswer & { bodyHash: string }>(
    `select status, body, body_hash as "bodyHash" from idempotency_keys
     where sub_account_id = $1 and key_id = $2 and path = $3 and key = $4 and expires_at > $5`,
    [subAccountId, asked.keyId, asked.path, asked.key, work.now],
  );
  if (kept && kept.bodyHash !== asked.bodyHash) {
    throw new Fault('IDEMPOTENCY_MISMATCH', 'this key was used with another body');
  }
  return kept;
}

/** Keeps the answer, without the secrets that are shown once. */
export async function keep(
  view: View,
  asked: Repeatable,
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
    [view.subAccountId, asked.keyId, asked.path, asked.key, asked.bodyHash, status, body, view.now],
  );
}

/** Returns the envelope as it is stored, without what the endpoint shows only once. */
function storedEnvelope(
  { data, meta, refusal }: Reply,
  { shownOnce = [] }: { readonly shownOnce?: readonly string[] },
): string {
  if (refusal) {
    return errorText(refusal);
  }
  const stored = JSON.parse(jsonText(data)) as unknown;
  if (typeof stored === 'object' && stored !== null) {
    shownOnce.forEach((name) => void Reflect.deleteProperty(stored, name));
  }
  return JSON.stringify({ data: stored, ...(meta && { meta }) });
}

/** A refusal is an answer too; one that says "come again", or "say the same otherwise", is not. */
const isKept = (fault: Fault): boolean =>
  fault.status < FAULTS.INTERNAL_ERROR && !PASSING.has(fault.code);

const PASSING = new Set<FaultCode>([
  'RATE_LIMITED',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_MISMATCH',
  'UNSUPPORTED_MEDIA_TYPE',
]);
