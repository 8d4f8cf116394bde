import type { Reaction } from '#kit/event.ts';

/** Who acts, in the same transaction, on what another slice announces. */
export const reactions: readonly Reaction[] = [];
