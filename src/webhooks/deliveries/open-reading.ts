import type { Attempt } from './attempt-delivery.ts';
import type { News } from './due-attempts.ts';

interface OpenReadingInput {
  readonly due: readonly Attempt[];
  /** The position behind which news begins. */
  readonly from: number;
  /** Left out where there is to be none. */
  readonly readNews: ((from: number) => Promise<News>) | undefined;
  /** True once nothing more is to be begun. */
  readonly isOver: () => boolean;
}

/** What a turn of a subscription does, one after the other, and how far it has come. */
export interface Reading {
  /** The next attempt: those that are due, then the news in its order. */
  next(): Promise<Attempt | undefined>;
  finished(attempt: Attempt): void;
  /** Everything up to this position is done. */
  servedTo(): number;
  /** True where something was left. */
  isMore(): boolean;
}

export function openReading({ due, from, readNews, isOver }: OpenReadingInput): Reading {
  const waiting = [...due];
  let news: Attempt[] = [];
  let readTo = from;
  let isAll = readNews === undefined;
  let reading: Promise<void> | undefined;
  /** Positions under way; they are begun in order, so the first is the smallest. */
  const begun = new Set<number>();

  const mayRead = () => !isAll && !isOver();
  const read = async () => {
    const found = await readNews?.(readTo);
    if (found) {
      news = [...found.attempts];
      ({ readTo, isAll } = found);
    }
  };
  return {
    async next() {
      const late = isOver() ? undefined : waiting.shift();
      if (late) {
        return late;
      }
      while (news.length === 0 && mayRead()) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      const attempt = isOver() ? undefined : news.shift();
      if (attempt?.position !== undefined) {
        begun.add(attempt.position);
      }
      return attempt;
    },
    finished({ position }) {
      if (position !== undefined) {
        begun.delete(position);
      }
    },
    servedTo() {
      const [first = news[0]?.position] = begun;
      return first === undefined ? readTo : first - 1;
    },
    isMore: () => waiting.length > 0 || news.length > 0 || !isAll,
  };
}
