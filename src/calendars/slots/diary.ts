import type { Block } from '../schedule.ts';

/** The blocks of each member in order, so that a look at a span costs a binary search. */
export type Diary = ReadonlyMap<string, Page>;

interface Page {
  readonly blocks: readonly Block[];
  /** The latest end among the blocks up to this one. */
  readonly ends: readonly number[];
}

/** Blocks without length, such as an external calendar's reminders, take no time. */
export function diaryOf(blocks: readonly Block[]): Diary {
  const taking = blocks.filter(({ from, until }) => from < until);
  const byMember = Map.groupBy(taking, ({ memberId }) => memberId);
  return new Map([...byMember].map(([memberId, own]) => [memberId, pageOf(own)]));
}

function pageOf(unordered: readonly Block[]): Page {
  const blocks = unordered.toSorted((one, other) => one.from - other.from);
  let latest = -Infinity;
  const ends = blocks.map(({ until }) => (latest = Math.max(latest, until)));
  return { blocks, ends };
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/** The first block that overlaps a span and that `isOwn` does not claim for the asker. */
export function findBlock(
  diary: Diary,
  memberId: string,
  { from, until }: Span,
  isOwn: (block: Block) => boolean,
): Block | undefined {
  const page = diary.get(memberId);
  if (!page) {
    return undefined;
  }
  for (let at = firstAbove(page.ends, from); at < page.blocks.length; at += 1) {
    const block = page.blocks[at];
    if (!block || block.from >= until) {
      return undefined;
    }
    if (block.until > from && !isOwn(block)) {
      return block;
    }
  }
  return undefined;
}

/** Where in an ascending list the first figure above a bound stands. */
function firstAbove(ascending: readonly number[], bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? Infinity) > bound) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
