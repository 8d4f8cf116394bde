import type { Switches } from '#core/command.ts';

const BAR_WIDTH = 24;
const REDRAW_EVERY_MS = 100;
const CLEAR_LINE = '\r\u001B[K';

export interface ProgressBar {
  /** `share` of the whole is from 0 to 1. */
  update(rows: number, share: number): void;
  /** Removes the bar before other output. */
  clear(): void;
}

/** A bar on standard error; none without a terminal or with `--json`. */
export function openProgressBar({ json }: Pick<Switches, 'json'>): ProgressBar {
  const { stderr } = process;
  if (!stderr.isTTY || json) {
    return { update: () => undefined, clear: () => undefined };
  }
  const startedAt = performance.now();
  let drawnAt = -Infinity;
  return {
    update(rows, share) {
      const now = performance.now();
      if (now - drawnAt >= REDRAW_EVERY_MS || share >= 1) {
        drawnAt = now;
        const line = progressLine(rows, share, now - startedAt);
        stderr.write(CLEAR_LINE + line.slice(0, stderr.columns - 1));
      }
    },
    clear: () => void stderr.write(CLEAR_LINE),
  };
}

/** `████████░░░░  45 %  45,000 rows  11,200 rows/s` */
export function progressLine(rows: number, share: number, elapsedMs: number): string {
  const full = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
  const percent = String(Math.floor(share * 100)).padStart(3);
  const perSecond = elapsedMs > 0 ? Math.round(rows / (elapsedMs / 1_000)) : 0;
  return `${bar} ${percent} %  ${counted(rows)} rows  ${counted(perSecond)} rows/s`;
}

const counted = (count: number) => count.toLocaleString('en');
