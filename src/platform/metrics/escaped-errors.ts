export type ActivityKind = 'request' | 'stream' | 'job';

const counts: Record<ActivityKind, number> = { request: 0, stream: 0, job: 0 };

/** Counts an error that no code of an activity caught; of this process alone. */
export function countEscapedError(kind: ActivityKind): void {
  counts[kind] += 1;
}

export const escapedErrors = (): Readonly<Record<ActivityKind, number>> => ({ ...counts });
