import { UUID } from '#lib/id.ts';
import { MINUTE_MS } from '#lib/duration.ts';

/**
 * How far a reader has read. A snapshot names the transactions that it has seen, so a transaction that
 * commits late is neither missed nor waited for. In the middle of a batch, `within` names the last
 * change that was read of those between the two snapshots.
 */
export interface Position {
  /** Epoch ms, when the position was current: changes are kept for a limited time. */
  readonly at: number;
  /** Of the table: it changes when a crash of the database, or a restore, empties it. */
  readonly epoch: string;
  /** Everything up to this snapshot was read. */
  readonly since: string;
  readonly within?: { readonly upTo: string; readonly xid: string; readonly id: string };
}

/** Changes are kept for an hour; a position expires a little earlier. */
const EXPIRES_AFTER_MS = 55 * MINUTE_MS;

export const isExpired = ({ at }: Position, now: Date): boolean =>
  now.getTime() - at > EXPIRES_AFTER_MS;

/** Returns the text of a position, for the `id` of a server-sent event. */
export const positionText = ({ at, epoch, since, within }: Position): string =>
  [at, epoch, since, ...(within ? [within.upTo, within.xid, within.id] : [])].join('~');

/** `xmin:xmax:xip,…`, as PostgreSQL prints a snapshot. */
const SNAPSHOT = '\\d{1,19}:\\d{1,19}:(?:\\d{1,19}(?:,\\d{1,19})*)?';
const POSITION = new RegExp(
  `^(\\d{1,15})~(${UUID})~(${SNAPSHOT})(?:~(${SNAPSHOT})~(\\d{1,19})~(${UUID}))?$`,
);

/** Returns the position of a text; undefined if it is none. */
export function positionOf(text: string | undefined): Position | undefined {
  const [, at, epoch, since, upTo, xid, id] = POSITION.exec(text ?? '') ?? [];
  if (at === undefined || epoch === undefined || since === undefined) {
    return undefined;
  }
  const isWhole = [since, upTo].every((snapshot) => snapshot === undefined || isSound(snapshot));
  const within = upTo && xid && id ? { within: { upTo, xid, id } } : {};
  return isWhole ? { at: Number(at), epoch, since, ...within } : undefined;
}

const XID_MAX = 2n ** 63n - 1n;

/** PostgreSQL refuses a snapshot whose members are not in order. */
function isSound(snapshot: string): boolean {
  const [min = '', max = '', running = ''] = snapshot.split(':');
  const [first, last] = [BigInt(min), BigInt(max)];
  const between = running === '' ? [] : running.split(',').map(BigInt);
  const isOrdered = between.every(
    (xid, index) => xid >= first && xid < last && (index === 0 || xid > (between[index - 1] ?? 0n)),
  );
  return first > 0n && first <= last && last <= XID_MAX && isOrdered;
}
