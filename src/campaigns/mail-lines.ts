import { setTimeout as sleep } from 'node:timers/promises';
import { AGENCY } from '#kit/id.ts';
import { isDatabaseAway } from '#platform/database.ts';
import {
  EXCHANGE,
  exchangeValues,
  type ClaimedLine,
  type ExchangeRow,
  type Settled,
} from './exchange-lines.ts';
import type { Pace } from './pace.ts';

/** Lines claimed at a time: enough that no connection waits for the database. */
const CLAIMED_MAX = 60;
/** What was mailed is written down as soon as the database is back. */
const AGAIN_MS = 500;
const AGAIN_MAX = 40;

export interface Mailing {
  readonly subAccountId: string;
  readonly campaignId: string;
  readonly turn: string;
  readonly rows: <T extends object>(text: string, values: readonly unknown[]) => Promise<T[]>;
  /** Mails one; never rejects. */
  readonly mail: (line: ClaimedLine) => Promise<Settled>;
  readonly pace: Pace;
  /** Claims no more after that. */
  readonly isOver: () => boolean;
}

/**
 * Mails line after line until it is over, none is left, or the campaign was paused. Each line is
 * claimed before its mail goes and settled after it; what is under way at the end is waited for.
 */
export async function mailLines(mailing: Mailing): Promise<void> {
  const settled: Settled[] = [];
  let underWay = 0;
  let after = AGENCY;
  let isDone = false;
  let wake = Promise.withResolvers<void>();
  const begin = async (line: ClaimedLine) => {
    underWay += 1;
    settled.push(await mailing.mail(line));
    underWay -= 1;
    wake.resolve();
  };
  for (;;) {
    isDone ||= mailing.isOver();
    const now = performance.now();
    const room: number = isDone ? 0 : Math.min(CLAIMED_MAX - underWay, mailing.pace.room(now));
    if (settled.length === 0 && room <= 0) {
      if (isDone && underWay === 0) {
        return;
      }
      await Promise.race([wake.promise, ...(isDone ? [] : [paused(mailing.pace.waitMs(now))])]);
      wake = Promise.withResolvers();
      continue;
    }
    const { isOn, lines } = await exchange(mailing, settled.splice(0), after, Math.max(0, room));
    mailing.pace.take(lines.filter(({ status }) => status === 'sending').length);
    for (const line of lines) {
      if (line.status === 'sending') {
        void begin(line);
      }
    }
    const isEnd: boolean = room > 0 && lines.length < room;
    // Behind the last one there may be some before it whose wait has ended.
    isDone ||= !isOn || (isEnd && after === AGENCY);
    after = isEnd ? AGENCY : (lines.at(-1)?.id ?? after);
    if (underWay > 0 && settled.length === 0) {
      await Promise.race([wake.promise, ...(isDone ? [] : [paused(mailing.pace.waitMs(now))])]);
      wake = Promise.withResolvers();
    }
  }
}

/** For ever where there is nothing to wait for: something else wakes. */
const paused = (ms: number): Promise<unknown> =>
  ms > 0 ? sleep(ms) : new Promise(() => undefined);

async function exchange(mailing: Mailing, told: readonly Settled[], after: string, room: number) {
  const values = exchangeValues(mailing, told, after, room);
  for (let tried = 1; ; tried += 1) {
    try {
      const found = await mailing.rows<ExchangeRow>(EXCHANGE, values);
      return {
        isOn: found[0]?.isOn ?? false,
        lines: found.filter((row): row is ExchangeRow & ClaimedLine => row.id !== null),
      };
    } catch (error) {
      if (told.length === 0 || tried === AGAIN_MAX || !isDatabaseAway(error)) {
        throw error;
      }
      await sleep(AGAIN_MS);
    }
  }
}
