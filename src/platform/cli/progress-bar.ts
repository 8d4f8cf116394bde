import type { Switches } from '#core/command.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/duration.ts';

const BAR_WIDTH = 24;
const REDRAW_EVERY_MS = 100;
/** Estimates of the first moments jump. */
const ESTIMATE_AFTER_MS = SECOND_MS;
const CLEAR_LINE = '\r\u001B[K';

export interface ProgressBar {
  /** `share` of the whole is from 0 to 1. */
  update(rows: number, share: number): void;
  /** Removes the bar before other output. */
  clear(): void;
}

/**
 * A bar on standard error; none without a terminal or with `--json`. `unit` is the plural noun of what
 * is counted.
 */
export function openProgressBar({ json }: Pick<Switches, 'json'>, unit = 'rows'): ProgressBar {
  const { stderr } = process;
  if (!stderr.isTTY || json) {
    return { update: () => undefined, clear: () => undefined };
  }
  const startedAt = performance.now();
  let drawnAt = -Infinity;
  let drawnShare = 0;
  let firstShare: number | undefined;
  return {
    update(rows, share) {
      const now = performance.now();
      firstShare ??= share;
      const isDone = share >= 1 && drawnShare < 1;
      if (now - drawnAt >= REDRAW_EVERY_MS || isDone) {
        [drawnAt, drawnShare] = [now, share];
        const line = progressLine({ rows, share, firstShare, elapsedMs: now - startedAt, unit });
        stderr.write(CLEAR_LINE + line.slice(0, stderr.columns - 1));
      }
    },
    clear: () => void stderr.write(CLEAR_LINE),
  };
}

interface Progress {
  readonly rows: number;
  readonly share: number;
  /** The share at the start: a campaign may be half sent when it is watched. */
  readonly firstShare?: number;
  readonly elapsedMs: number;
  readonly unit?: string;
}

/** `████████░░░░  45 %  45,000 rows  11,200 rows/s  5 s left` */
export function progressLine(progress: Progress): string {
  const { rows, share, elapsedMs, unit = 'rows' } = progress;
  const full = Math.round(share * BAR_WIDTH);
  const bar = '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
  const percent = String(Math.floor(share * 100)).padStart(3);
  const perSecond = elapsedMs > 0 ? Math.round(rows / (elapsedMs / 1_000)) : 0;
  const left = timeLeft(progress);
  return `${bar} ${percent} %  ${counted(rows)} ${unit}  ${counted(perSecond)} ${unit}/s${left}`;
}

/** Empty until there is something to estimate from, and at the end. */
function timeLeft({ share, firstShare = 0, elapsedMs }: Progress): string {
  if (elapsedMs < ESTIMATE_AFTER_MS || share <= firstShare || share >= 1) {
    return '';
  }
  const ms = (elapsedMs * (1 - share)) / (share - firstShare);
  return `  ${durationText(ms)} left`;
}

/** `45 s`, `3 min`, `2 h 05 min` */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  if (seconds < 90) {
    return `${seconds} s`;
  }
  const minutes = Math.ceil(ms / MINUTE_MS);
  return minutes < 90
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

const counted = (count: number) => count.toLocaleString('en');
