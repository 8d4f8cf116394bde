import { sleep } from '#lib/abort.ts';
import { AGENCY } from '#lib/id.ts';
import {
  CLAIM,
  claimValues,
  type ClaimedRecipient,
  type ClaimRow,
  type Settled,
} from './claim-recipients.ts';
import type { InFlightWindow, TokenBucket } from './throttle.ts';

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
  /** Whether to stop claiming recipients. */
  readonly isOver: () => boolean;
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
    isDone ||= mailing.isOver();
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
    mailing.bucket.take(recipients.filter(({ status }) => status === 'sending').length);
    for (const recipient of recipients) {
      if (recipient.status === 'sending') {
        void start(recipient);
      }
    }
    const isEnd: boolean = room > 0 && recipients.length < room;
    // Recipients before the last one may have become due in the meantime.
    isDone ||= !isOn || (isEnd && after === AGENCY);
    after = isEnd ? AGENCY : (recipients.at(-1)?.id ?? after);
    if (inFlight > 0 && settled.length === 0) {
      await Promise.race([wake.promise, ...(isDone ? [] : [wait(mailing.bucket.waitMs(now))])]);
      wake = Promise.withResolvers();
    }
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
  const values = claimValues(mailing, outcomes, after, room);
  for (let tried = 1; ; tried += 1) {
    const sentAt = performance.now();
    try {
      const found = await mailing.rows<ClaimRow>(CLAIM, values);
      mailing.window.claimed(performance.now() - sentAt);
      const named = outcomes.flatMap(({ externalId }) => externalId ?? []);
      if (named.length > 0) {
        await mailing.onNamed?.(named);
      }
      return {
        isOn: found[0]?.isOn ?? false,
        recipients: found.filter((row): row is ClaimRow & ClaimedRecipient => row.id !== null),
      };
    } catch (error) {
      if (!hasOutcomes || tried === TRIES_MAX) {
        throw error;
      }
      await sleep(RETRY_MS);
    }
  }
}
