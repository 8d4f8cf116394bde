import { sleep } from '#lib/abort.ts';
import { AGENCY } from '#lib/id.ts';
import { slices } from '#lib/in-slices.ts';
import {
  CLAIM,
  SETTLE_UNKNOWN,
  settleValues,
  SKIP_REPEATED,
  type ClaimedRecipient,
  type ClaimRow,
  type Settled,
} from './claim-recipients.ts';

/** Recording outcomes is retried for 20 seconds while the database is down. */
const RETRY_MS = 500;
const TRIES_MAX = 40;

export interface Mailing {
  readonly subAccountId: string;
  readonly campaignId: string;
  readonly holder: string;
  readonly rows: <T extends object>(text: string, values: readonly unknown[]) => Promise<T[]>;
  /** Sends one mail. A rejection is a bug, and its outcome is unknown. */
  readonly mail: (recipient: ClaimedRecipient) => Promise<Settled>;
  readonly onBug: (error: unknown) => void;
  /** Called with the provider's ids of mails once they are stored. Never rejects. */
  readonly onNamed?: (externalIds: readonly string[]) => Promise<void>;
  readonly bucket: TokenBucket;
  readonly window: InFlightWindow;
  /** Aborted to stop claiming recipients. */
  readonly over: AbortSignal;
  /** Called, perhaps repeatedly, once no more recipients are claimed: only mails in flight are awaited. */
  readonly onClaimed?: () => void;
}

/**
 * Sends mails until the slice is over, no recipient is left, or the campaign is paused. A recipient is
 * claimed before its mail is sent and settled after it. Mails in flight at the end are awaited.
 */
export async function runSendLoop(mailing: Mailing): Promise<void> {
  const settled: Settled[] = [];
  let inFlight = 0;
  let after = AGENCY;
  let isDone = false;
  let wake = Promise.withResolvers<void>();
  const slice = slices(mailing.subAccountId);
  const end = () => {
    isDone = true;
    mailing.onClaimed?.();
  };
  mailing.over.addEventListener('abort', () => wake.resolve(), { once: true });
  const start = async (recipient: ClaimedRecipient) => {
    inFlight += 1;
    const startedAt = performance.now();
    settled.push(
      await mailing.mail(recipient).catch((error: unknown) => unknownBy(mailing, recipient, error)),
    );
    mailing.window.mailed(performance.now() - startedAt, inFlight);
    inFlight -= 1;
    wake.resolve();
  };
  for (;;) {
    if (mailing.over.aborted) {
      end();
    }
    const now = performance.now();
    const lacking = mailing.window.size() - inFlight;
    const room: number = isDone ? 0 : Math.min(lacking, mailing.bucket.room(now));
    if (settled.length === 0 && room <= 0) {
      if (isDone && inFlight === 0) {
        return;
      }
      await Promise.race([wake.promise, ...(isDone ? [] : [wait(mailing.bucket.waitMs(now))])]);
      wake = Promise.withResolvers();
      continue;
    }
    const outcomes = settled.splice(0);
    const hasOutcomes = outcomes.length > 0 || inFlight > 0;
    const { isOn, recipients } = await claim(mailing, outcomes, {
      after,
      room: Math.max(0, room),
      hasOutcomes,
    });
    const unsent = recipients.filter(({ status }) => status === 'sending');
    mailing.bucket.take(unsent.length);
    await startEach(unsent, slice, start);
    const isEnd: boolean = room > 0 && recipients.length < room;
    // Recipients before the last one may have become due in the meantime.
    if (!isOn || (isEnd && after === AGENCY)) {
      end();
    }
    after = isEnd ? AGENCY : (recipients.at(-1)?.id ?? after);
    if (inFlight > 0 && settled.length === 0) {
      await Promise.race([wake.promise, ...(isDone ? [] : [wait(mailing.bucket.waitMs(now))])]);
      wake = Promise.withResolvers();
    }
  }
}

/** Merging a mail takes a moment, a large one some milliseconds. */
async function startEach(
  recipients: readonly ClaimedRecipient[],
  slice: ReturnType<typeof slices>,
  start: (recipient: ClaimedRecipient) => Promise<void>,
): Promise<void> {
  for (const recipient of recipients) {
    const pause = slice();
    if (pause) {
      await pause;
    }
    void start(recipient);
  }
}

function unknownBy({ onBug }: Mailing, { id }: ClaimedRecipient, error: unknown): Settled {
  onBug(error);
  const errorMessage = error instanceof Error ? error.message : String(error);
  const failed = { errorCode: 'internal_error', errorMessage, waitMs: null, isAttempt: true };
  return { id, status: 'unknown', ...failed };
}

/** Never resolves for 0 ms: the loop then continues when a mail ends. */
const wait = (ms: number): Promise<unknown> => (ms > 0 ? sleep(ms) : new Promise(() => undefined));

interface ClaimQuery {
  readonly after: string;
  readonly room: number;
  /** Whether there are outcomes to record, or will be: giving up would leave them unknown. */
  readonly hasOutcomes: boolean;
}

async function claim(
  mailing: Mailing,
  outcomes: readonly Settled[],
  { after, room, hasOutcomes }: ClaimQuery,
) {
  const settling = settleValues(mailing, outcomes);
  const found = await retrying(hasOutcomes, async () => {
    const sentAt = performance.now();
    const rows = await mailing.rows<ClaimRow>(CLAIM, [...settling, after, room]);
    mailing.window.claimed(performance.now() - sentAt);
    return rows;
  });
  if ((found[0]?.settled ?? 0) < outcomes.length) {
    await retrying(true, () => mailing.rows(SETTLE_UNKNOWN, settling));
  }
  const named = outcomes.flatMap(({ externalId }) => externalId ?? []);
  if (named.length > 0) {
    await mailing.onNamed?.(named);
  }
  const claimed = found.filter((row): row is ClaimRow & ClaimedRecipient => row.id !== null);
  return { isOn: found[0]?.isOn ?? false, recipients: await withoutRepeated(mailing, claimed) };
}

/** Marks the recipients that are skipped since their person is mailed at another address. */
async function withoutRepeated(
  { rows, subAccountId, campaignId, holder }: Mailing,
  claimed: readonly ClaimedRecipient[],
): Promise<readonly ClaimedRecipient[]> {
  const merged = claimed.filter(({ isMerged, status }) => isMerged && status === 'sending');
  if (merged.length === 0) {
    return claimed;
  }
  const values = [subAccountId, campaignId, holder, merged.map(({ id }) => id)];
  const skipped = await retrying(true, () => rows<{ readonly id: string }>(SKIP_REPEATED, values));
  const repeated = new Set(skipped.map(({ id }) => id));
  return claimed.map((each) => (repeated.has(each.id) ? { ...each, status: 'skipped' } : each));
}

/** Runs a statement, which is tried again after a failure if `isNeeded`. */
async function retrying<T>(isNeeded: boolean, run: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isNeeded || tried === TRIES_MAX) {
        throw error;
      }
      await sleep(RETRY_MS);
    }
  }
}

const SECOND_MS = 1_000;

/** Limits the number of mails in any second to the rate. */
export interface TokenBucket {
  room(nowMs: number): number;
  take(count: number): void;
  /** Milliseconds until there is room again. */
  waitMs(nowMs: number): number;
}

const UNLIMITED: TokenBucket = { room: () => Infinity, take: () => undefined, waitMs: () => 0 };

/** Returns a bucket that spreads mails evenly over each second, starting with one; null is unlimited. */
export function openTokenBucket(perSecond: number | null, startMs: number): TokenBucket {
  if (perSecond === null) {
    return UNLIMITED;
  }
  const gapMs = SECOND_MS / perSecond;
  const burst = Math.max(1, Math.floor(perSecond / 20));
  let saved = 1;
  let countedAt = startMs;
  const count = (nowMs: number) => {
    saved = Math.min(burst, saved + Math.max(0, nowMs - countedAt) / gapMs);
    countedAt = nowMs;
  };
  return {
    room(nowMs) {
      count(nowMs);
      return Math.floor(saved);
    },
    take(taken) {
      saved -= taken;
    },
    waitMs(nowMs) {
      count(nowMs);
      return saved >= 1 ? 0 : Math.ceil((1 - saved) * gapMs);
    },
  };
}

/** The most claimed recipients at a time, however fast the mail server is. */
const WINDOW_MAX = 60;
/** The assumed minimum duration of a claim. */
const CLAIM_MIN_MS = 10;
/** The weight of the latest measurement in a moving average. */
const WEIGHT = 0.2;

/**
 * The number of recipients that may be claimed at a time: one per connection, and those that are sent
 * while the database claims more. A larger window would send more mails after a pause or an opt-out,
 * and leave more recipients `unknown` when a worker is killed.
 */
export interface InFlightWindow {
  size(): number;
  /** Records how long a mail took, and how many were in flight. */
  mailed(tookMs: number, concurrent: number): void;
  /** Records how long a claim took. */
  claimed(tookMs: number): void;
}

export function inFlightWindow(connections: number): InFlightWindow {
  let perMs = 0;
  let claimMs = CLAIM_MIN_MS;
  return {
    size: () => Math.min(WINDOW_MAX, connections + Math.floor(perMs * 2 * claimMs)),
    mailed(tookMs, concurrent) {
      const rate = concurrent / Math.max(tookMs, 0.1);
      perMs = perMs === 0 ? rate : perMs + WEIGHT * (rate - perMs);
    },
    claimed(tookMs) {
      claimMs = Math.max(CLAIM_MIN_MS, claimMs + WEIGHT * (tookMs - claimMs));
    },
  };
}
