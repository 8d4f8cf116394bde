import { createHash } from 'node:crypto';
import type { Static, TObject } from 'typebox';
import { check } from '#core/schema/check.ts';
import type { SignedCall, Verified } from '#core/endpoint/signed-endpoint.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { parseJson } from '#platform/http/body/read.ts';
import { isSigned, readSigned, wrongSignature } from '../../conversations/providers/signed-body.ts';
import { secretPlace } from '../definition/regenerate-workflow-secret.ts';
import { notFound } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import { INBOUND } from '../definition/workflow.schema.ts';

/** A call that says when it was made may have been on its way for so long. */
const TOLERANCE_MS = 5 * MINUTE_MS;

export interface VerifiedCall<B> {
  readonly workflowId: string;
  readonly body: B;
  /** Names the call, where it is to count once; two calls are one where these are alike. */
  readonly once: Once;
}

export interface Once {
  readonly ids: readonly string[];
  /** Kept for whoever sends the same again; else only looked for. */
  readonly isKept: boolean;
  readonly expiresAt: Date;
}

/** Finds a call signed with the workflow's secret, over the very bytes; throws UNAUTHORIZED else. */
export const verifiesCall =
  <S extends TObject>(what: 'trigger' | 'event', schema: S) =>
  async (
    call: SignedCall<{ readonly slug: string }>,
  ): Promise<Verified<VerifiedCall<Static<S>>>> => {
    const { params, view, tools, header } = call;
    const { subAccountId, id, secret } = await findCallee(view, params.slug, what);
    if (!secret) {
      throw wrongSignature('this workflow has no signing secret yet');
    }
    const time = header('x-webhook-timestamp');
    refuseStale(time, view.now);
    const key = tools.secrets.open(secret, secretPlace(id));
    const bytes = await readSigned(call, { header: 'X-Webhook-Signature', secret: key });
    const isTimeSigned = verifyTime(call, key, bytes);
    const body = check(schema, parseJson(bytes, header('content-type') ?? JSON_TYPE) ?? {}, 'body');
    const once = onceOf(bytes, time, { isTimeSigned, place: `${what}/${id}`, now: view.now });
    const call_ = { workflowId: id, body, once };
    return { by: `workflow/${params.slug}`, subAccountId, payload: call_ };
  };

const JSON_TYPE = 'application/json';

/** Returns whether the time is signed too. */
function verifyTime(
  { header }: Pick<SignedCall<unknown>, 'header'>,
  key: string,
  bytes: Buffer,
): boolean {
  const timed = header('x-webhook-signature-v2');
  const time = header('x-webhook-timestamp');
  if (timed === undefined || time === undefined) {
    return false;
  }
  if (!isSigned(withTime(time, bytes), key, timed)) {
    throw wrongSignature('X-Webhook-Signature-V2 is not the HMAC of the timestamp and this body');
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
    throw wrongSignature('X-Webhook-Timestamp is not within five minutes of now, in epoch ms');
  }
}

/**
 * A call with a time counts once. Where the time is not signed anybody could put in another, or leave
 * it out, so that there the body alone says whether it is the same call.
 */
function onceOf(
  bytes: Buffer,
  time: string | undefined,
  { isTimeSigned, place, now }: Circumstances,
): Once {
  const plain = nameOf(place, bytes);
  const ids = isTimeSigned ? [nameOf(place, withTime(time ?? '', bytes)), plain] : [plain];
  const expiresAt = new Date(now.getTime() + 2 * TOLERANCE_MS);
  return { ids, isKept: time !== undefined, expiresAt };
}

interface Circumstances {
  readonly isTimeSigned: boolean;
  /** Calls of another place are other calls. */
  readonly place: string;
  readonly now: Date;
}

/** The first half of a hash, written as an id. */
function nameOf(place: string, bytes: Buffer): string {
  const hex = createHash('sha256').update(`${place}:`).update(bytes).digest('hex');
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, index) => hex.slice(cuts[index], end))
    .join('-');
}

interface Callee {
  readonly subAccountId: string;
  readonly id: string;
  readonly isCallable: boolean;
  readonly secret: Buffer | null;
}

/**
 * The one active workflow behind a slug, wherever in the installation it is; NOT_FOUND where there
 * are several, for none of them could be told from the others (spec "Workflow triggers").
 */
async function findCallee(view: View, slug: string, what: 'trigger' | 'event'): Promise<Callee> {
  const [found, another] = await view.rows<Callee>(FIND, [slug, INBOUND]);
  if (!found || another || (what === 'trigger' && !found.isCallable)) {
    throw notFound('workflow');
  }
  return found;
}

const FIND = `select w.sub_account_id as "subAccountId", w.id, w.secret,
    $2 = any(w.listens_to) as "isCallable"
  from workflows w
  join sub_accounts s on s.id = w.sub_account_id and s.deleted_at is null
  where w.slug = $1 and w.active and w.deleted_at is null
  limit 2`;
