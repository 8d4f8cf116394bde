import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#core/fault.ts';
import { FORMATS } from '#core/schema/formats.ts';
import type { Transact, View, Work } from '#core/work.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';
import { firstIdAt } from '#lib/id.ts';
import type { CallDeps } from '#platform/http/call/checks.ts';
import { withoutSecrets } from '#platform/http/idempotency.ts';
import type { CallResponse } from '#platform/http/response.ts';
import { runCall, type PreparedCall } from './in-process.ts';

/** How long a repeat of a write returns the first response (contract 12). */
const REPEAT_MS = 10 * MINUTE_MS;
/** How long a call waits for an identical call of another process. */
const WAIT_MS = 30 * SECOND_MS;
const POLL_MS = 50;

/** One write of an agent; equal writes have the same hash. */
export interface AgentWrite {
  readonly call: PreparedCall;
  readonly hash: string;
  /** Runs it even if an equal call ran before. */
  readonly repeat: boolean;
  /** Runs before the call, in its transaction, unless an equal call ran before. */
  readonly prepare: (work: Work) => Promise<void>;
}

export interface OnceResponse extends CallResponse {
  readonly repeated?: true;
}

/** Ends of running calls of this process, by key and hash. */
type Running = Map<string, Promise<unknown>>;

/**
 * Returns a function that runs a write, unless the same key made the same successful call within the
 * last 10 minutes and nothing else has changed its records since: then it returns that response. It is
 * stored in the transaction of the write. An identical call that is still running is waited for.
 */
export function openRunOnce(deps: CallDeps): (write: AgentWrite) => Promise<OnceResponse> {
  const running: Running = new Map();
  return async (write) => {
    const { subAccountId, keyId } = write.call.request.caller;
    const name = [subAccountId, keyId, write.hash].join('/');
    // Never wait for a lock while holding a connection: it would deadlock the pool.
    const earlier = running.get(name) ?? Promise.resolve();
    const mine = earlier.then(() => runWhenFree(deps, write));
    const settled = mine.catch(() => undefined);
    running.set(name, settled);
    try {
      return await mine;
    } finally {
      if (running.get(name) === settled) {
        running.delete(name);
      }
    }
  };
}

/** An identical call is running in another process. */
class Busy extends Error {}

async function runWhenFree(deps: CallDeps, write: AgentWrite): Promise<OnceResponse> {
  const { call, repeat } = write;
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const view = deps.openView(call.request.caller.subAccountId, deps.clock());
    const stored = repeat ? undefined : await findStored(view, write);
    if (stored) {
      return stored;
    }
    try {
      const transact = storing(deps.transact, {
        claim: (work) => claim(work, write),
        store: (after, response) => store(after, write, response),
      });
      return await runCall({ ...deps, transact }, call);
    } catch (error) {
      if (!(error instanceof Busy)) {
        throw error;
      }
      if (Date.now() > until) {
        const message = 'the same call is still running; call again later';
        throw new Fault('IDEMPOTENCY_IN_PROGRESS', message);
      }
    }
    await sleep(POLL_MS);
  }
}

interface ResponseStore {
  /** Claims the call. Returns the response that it already has, if any. Throws to refuse the call. */
  readonly claim: (work: Work) => Promise<CallResponse | undefined>;
  readonly store: (view: View, response: CallResponse) => Promise<unknown>;
}

/**
 * Stores the response of a call in its transaction. Changes without a conclusion are those of
 * `prepare`, which store what they fetched.
 */
export function storing(transact: Transact, { claim, store }: ResponseStore): Transact {
  const stored: Transact = async (subAccountId, actor, change, conclude) => {
    if (!conclude) {
      return transact(subAccountId, actor, change);
    }
    return transact(
      subAccountId,
      actor,
      async (work) => {
        const earlier = await claim(work);
        return earlier ? { earlier } : { outcome: await change(work) };
      },
      async (view, { earlier, outcome }) => {
        if (earlier) {
          return earlier as never;
        }
        const response = await conclude(view, outcome);
        await store(view, response as CallResponse);
        return response;
      },
    );
  };
  return stored;
}

/**
 * Claims the write with an advisory lock, so that the claim ends with a killed process. Returns its
 * stored response, if any. Throws Busy.
 */
async function claim(work: Work, write: AgentWrite): Promise<OnceResponse | undefined> {
  const { call, hash, repeat } = write;
  const name = JSON.stringify(['agent', work.subAccountId, call.request.caller.keyId, hash]);
  const [lock] = await work.rows<{ isOurs: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as "isOurs"',
    [name],
  );
  if (!lock?.isOurs) {
    throw new Busy();
  }
  const stored = repeat ? undefined : await findStored(work, write);
  if (!stored) {
    await write.prepare(work);
  }
  return stored;
}

interface StoredCall {
  readonly status: number;
  readonly response: string;
  readonly records: string[];
  readonly changes: number;
  readonly calledAt: Date;
}

async function findStored(
  view: View,
  { call, hash }: AgentWrite,
): Promise<OnceResponse | undefined> {
  const { subAccountId, now } = view;
  const { keyId } = call.request.caller;
  const [stored] = await view.rows<StoredCall>(FIND, [subAccountId, keyId, hash, now]);
  if (!stored || (await changesOf(view, stored.records, stored.calledAt)) !== stored.changes) {
    return undefined;
  }
  return { status: stored.status, text: stored.response, repeated: true };
}

const FIND = `select status, response, records, change_count as changes, called_at as "calledAt"
  from agent_calls
  where sub_account_id = $1 and key_id = $2 and call_hash = $3 and expires_at > $4`;

async function store(
  view: View,
  { call, hash }: AgentWrite,
  { status, text: sent }: CallResponse,
): Promise<void> {
  const text = sent.toString();
  const { subAccountId, now } = view;
  const { endpoint, request } = call;
  const records = recordsOf(request.params, text);
  const changes = await changesOf(view, records, now);
  const response = withoutSecrets(endpoint, text);
  const expiresAt = new Date(now.getTime() + REPEAT_MS);
  const { keyId } = request.caller;
  const values = [subAccountId, keyId, hash, records, changes, status, response, now, expiresAt];
  await view.rows(STORE, values);
}

const STORE = `insert into agent_calls (sub_account_id, key_id, call_hash, records, change_count,
    status, response, called_at, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (sub_account_id, key_id, call_hash) do update
  set records = excluded.records, change_count = excluded.change_count, status = excluded.status,
    response = excluded.response, called_at = excluded.called_at, expires_at = excluded.expires_at`;

/** Clocks of servers differ, and a change may have waited for a lock. */
const SLACK_MS = MINUTE_MS;

/**
 * Returns the number of changes of the records since shortly before a time, messages of a conversation
 * included. It grows with every change that is committed later, whatever its clock says.
 */
async function changesOf(view: View, records: readonly string[], since: Date): Promise<number> {
  const from = firstIdAt(new Date(since.getTime() - SLACK_MS));
  const [row] = await view.rows<{ count: number }>(CHANGES, [view.subAccountId, records, from]);
  return row?.count ?? 0;
}

const CHANGES = `select (
    (select count(*) from audit_entries
     where sub_account_id = $1 and id >= $3 and record_id = any($2::text[]))
    + (select count(*) from messages
       where sub_account_id = $1 and conversation_id = any($2::uuid[]) and id >= $3)
  )::int as count`;

/** Members of a response that name the changed record, or the conversation that it belongs to. */
const RECORD_MEMBERS = ['id', 'conversationId'];

/** Returns the ids of the records that a call changed: those in its path and in its response. */
function recordsOf(params: Readonly<Record<string, string>>, text: string): string[] {
  const { data } = JSON.parse(text) as { readonly data?: Readonly<Record<string, unknown>> };
  const named = RECORD_MEMBERS.map((member) => data?.[member]);
  const ids = [...Object.values(params), ...named].filter(
    (id): id is string => typeof id === 'string' && FORMATS['uuid']?.test(id) === true,
  );
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}
