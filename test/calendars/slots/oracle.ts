import { Temporal } from 'temporal-polyfill';
import type {
  BookableType,
  Refusal,
  Schedule,
  ScheduleMember,
  BusyTimes,
  Window,
} from '../../../src/calendars/schedule.ts';

const MINUTE = 60_000;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

interface OracleQuery {
  readonly schedule: Schedule;
  readonly type: BookableType;
  readonly busy: BusyTimes;
}

/** Applies the contract's rules to one start, in their order. Returns a reason or the members who can take it. */
export function judgeSlowly(
  { schedule, type, busy }: OracleQuery,
  { start, end, now }: { start: number; end: number; now: number },
): Refusal | readonly string[] {
  const length = type.duration * MINUTE;
  if (end - start !== length) {
    return 'invalid_duration';
  }
  if (start < now) {
    return 'slot_in_past';
  }
  if (start - now < schedule.minimumNotice * MINUTE) {
    return 'too_soon';
  }
  if (schedule.maximumAdvance !== null && start - now > schedule.maximumAdvance * 1440 * MINUTE) {
    return 'too_far_ahead';
  }
  const date = Temporal.Instant.fromEpochMilliseconds(start)
    .toZonedDateTimeISO(schedule.timezone)
    .toPlainDate();
  const override = schedule.overrides.find((one) => one.date === date.toString());
  if (override && override.hours.length === 0) {
    return 'date_unavailable';
  }
  const members = schedule.kind === 'personal' ? schedule.members.slice(0, 1) : schedule.members;
  const windowsOf = (member: ScheduleMember): readonly Window[] =>
    override?.hours ??
    (member.hours ?? schedule.hours)[WEEKDAYS[date.dayOfWeek - 1] ?? 'mon'] ??
    [];
  const isOff = (member: ScheduleMember) => windowsOf(member).length === 0;
  if (schedule.kind === 'collective' ? members.some(isOff) : members.every(isOff)) {
    return 'day_unavailable';
  }
  /** Starts of the windows that contain the whole slot. */
  const beginnings = (member: ScheduleMember): number[] =>
    windowsOf(member)
      .map(([from, to]) => [edge(schedule, date, from), edge(schedule, date, to)] as const)
      .filter(([from, to]) => from <= start && end <= to)
      .map(([from]) => from);
  const isOut = (member: ScheduleMember) => beginnings(member).length === 0;
  if (schedule.kind === 'collective' ? members.some(isOut) : members.every(isOut)) {
    return 'outside_hours';
  }
  if (
    schedule.maxPerDay !== null &&
    (busy.perDate.get(date.toString()) ?? 0) >= schedule.maxPerDay
  ) {
    return 'day_full';
  }
  const step = (schedule.slotInterval ?? type.duration) * MINUTE;
  const isStart = (beginning: number) => (start - beginning) % step === 0;
  const seats = busy.blocks.filter(
    ({ seat }) => schedule.kind === 'class' && seat?.typeId === type.id && seat.start === start,
  );
  const isFree = ({ memberId }: ScheduleMember) =>
    busy.blocks.every(
      (block) =>
        block.memberId !== memberId ||
        seats.includes(block) ||
        block.from === block.until ||
        block.until <= start - schedule.bufferBefore * MINUTE ||
        block.from >= end + schedule.bufferAfter * MINUTE,
    );
  if (schedule.kind === 'collective') {
    const isOnGrid = latestOfEach(members.map(beginnings)).some(isStart);
    const isOpen = isOnGrid && members.every(isFree);
    return isOpen ? members.map(({ memberId }) => memberId) : 'slot_unavailable';
  }
  if (schedule.kind === 'class' && seats.length >= (type.seats ?? 1)) {
    return 'slot_unavailable';
  }
  const giving = members.filter(({ memberId }) => seats.some((seat) => seat.memberId === memberId));
  const able = (giving.length > 0 ? giving : members).filter(
    (member) => beginnings(member).some(isStart) && isFree(member),
  );
  return able.length > 0 ? able.map(({ memberId }) => memberId) : 'slot_unavailable';
}

/** Returns the latest start of every combination of one start per list. */
function latestOfEach(lists: readonly number[][]): number[] {
  return lists.reduce<number[]>(
    (latest, list) => latest.flatMap((one) => list.map((other) => Math.max(one, other))),
    [-Infinity],
  );
}

const edges = new Map<string, number>();

/** Returns the edge of a window; minute 1440 is the next date's midnight. */
function edge({ timezone }: Schedule, date: Temporal.PlainDate, minute: number): number {
  const key = `${timezone} ${date.toString()} ${minute}`;
  const known = edges.get(key);
  if (known !== undefined) {
    return known;
  }
  const local = date.toPlainDateTime('00:00').add({ minutes: minute });
  const instant = local.toZonedDateTime(timezone, { disambiguation: 'compatible' });
  edges.set(key, instant.epochMilliseconds);
  return instant.epochMilliseconds;
}
