import { createHash } from 'node:crypto';
import type { Static, TObject } from 'typebox';
import { check } from '#core/schema/check.ts';
import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { uuidFromBytes } from '#lib/id.ts';
import { parseJson } from '#platform/http/body/read.ts';
import { isSigned, readSigned, wrongSignature } from '../../conversations/providers/webhook.ts';
import { secretPlace } from '../definition/regenerate-workflow-secret.ts';
import { Fault } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { INBOUND } from '../definition/workflow.schema.ts';

/** The maximum age of a call with a timestamp. */
const TOLERANCE_MS = 5 * MINUTE_MS;

export interface VerifiedCall<B> {
  readonly workflowId: string;
  readonly body: B;
  readonly once: Once;
}

/** Identifies a call, so that it counts once. */
export interface Once {
  readonly ids: readonly string[];
  /** Whether the ids are stored. Calls without a timestamp are only compared with stored ids. */
  readonly isStored: boolean;
  readonly expiresAt: Date;
}

/** Verifies the signature of a call over its raw bytes. Throws `UNAUTHORIZED`. */
export const callVerifier =
  <S extends TObject>(kind: 'trigger' | 'event', schema: S) =>
  async (
    call: SignedCall<{ readonly slug: string }>,
  ): Promise<Verified<VerifiedCall<Static<S>>>> => {
    const { params, view, tools, header } = call;
    const { subAccountId, id, secret } = await findCalledWorkflow(view, params.slug, kind);
    if (!secret) {
      throw wrongSignature(
        `this workflow has no signing secret yet: create one with frontdesk admin secret regenerate workflow ${params.slug} --sub-account SUB`,
      );
    }
    const time = header('x-webhook-timestamp');
    refuseStale(time, view.now);
    const key = tools.secrets.open(secret, secretPlace(id));
    const bytes = await readSigned(call, {
      header: 'X-Webhook-Signature',
      secret: key,
      secretName: `the secret of the workflow ${params.slug}`,
    });
    const isTimeSigned = verifyTime(call, key, bytes);
    const body = check(schema, parseJson(bytes, header('content-type') ?? JSON_TYPE) ?? {}, 'body');
    const once = onceOf(bytes, time, { isTimeSigned, place: `${kind}/${id}`, now: view.now });
    const payload = { workflowId: id, body, once };
    return { by: `workflow/${params.slug}`, subAccountId, payload };
  };

const JSON_TYPE = 'application/json';

/** Returns whether the timestamp is signed. Throws for a wrong signature. */
function verifyTime(
  { header, params }: Pick<SignedCall<{ readonly slug: string }>, 'header' | 'params'>,
  key: string,
  bytes: Buffer,
): boolean {
  const timed = header('x-webhook-signature-v2');
  const time = header('x-webhook-timestamp');
  if (timed === undefined || time === undefined) {
    return false;
  }
  if (!isSigned(withTime(time, bytes), key, timed)) {
    throw wrongSignature(
      `X-Webhook-Signature-V2 does not match: sign the value of X-Webhook-Timestamp, a dot and the raw body with the secret of the workflow ${params.slug}`,
    );
  }
  return true;
}

const withTime = (time: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${time}.`), bytes]);

function refuseStale(time: string | undefined, now: Date): void {
  if (time === undefined) {
    return;
  }
  const at = /^\d{13}$/.test(time) ? Number(time) : Number.NaN;
  if (!(Math.abs(at - now.getTime()) <= TOLERANCE_MS)) {
    throw wrongSignature(
      'X-Webhook-Timestamp must be the current time in epoch milliseconds, at most five minutes off',
    );
  }
}

/**
 * A call with a timestamp counts once. An unsigned timestamp could be changed or removed by an
 * attacker, so without a signed one the body alone identifies the call.
 */
function onceOf(
  bytes: Buffer,
  time: string | undefined,
  { isTimeSigned, place, now }: CallIdentity,
): Once {
  const plain = nameOf(place, bytes);
  const ids = isTimeSigned ? [nameOf(place, withTime(time ?? '', bytes)), plain] : [plain];
  const expiresAt = new Date(now.getTime() + 2 * TOLERANCE_MS);
  return { ids, isStored: time !== undefined, expiresAt };
}

interface CallIdentity {
  readonly isTimeSigned: boolean;
  /** The endpoint and workflow: equal bodies sent elsewhere are different calls. */
  readonly place: string;
  readonly now: Date;
}

const UUID_BYTES = 16;

/** Returns the first half of a hash as a UUID. */
function nameOf(place: string, bytes: Buffer): string {
  const digest = createHash('sha256').update(`${place}:`).update(bytes).digest();
  return uuidFromBytes(digest.subarray(0, UUID_BYTES));
}

interface CalledWorkflow {
  readonly subAccountId: string;
  readonly id: string;
  readonly isCallable: boolean;
  readonly secret: Buffer | null;
}

/**
 * Returns the active workflow with a slug, in any sub-account. Throws `NOT_FOUND` if there are
 * several: the call does not say which one it means (spec "Workflow triggers").
 */
async function findCalledWorkflow(
  view: View,
  slug: string,
  kind: 'trigger' | 'event',
): Promise<CalledWorkflow> {
  const [found, another] = await view.rows<CalledWorkflow>(FIND, [slug, INBOUND]);
  if (!found || another || (kind === 'trigger' && !found.isCallable)) {
    throw new Fault('NOT_FOUND', MISSING[kind]);
  }
  return found;
}

/** The same for each cause, since the caller has not proved anything yet. */
const MISSING = {
  trigger:
    'no such workflow: exactly one active workflow must have this slug and the trigger inbound_webhook',
  event: 'no such workflow: exactly one active workflow must have this slug',
} as const;

const FIND = `select w.sub_account_id as "subAccountId", w.id, w.secret,
    $2 = any(w.listens_to) as "isCallable"
  from workflows w
  join sub_accounts s on s.id = w.sub_account_id and s.deleted_at is null
  where w.slug = $1 and w.active and w.deleted_at is null
  limit 2`;
