import { newId } from '#lib/id.ts';
import type { View, Work } from '#core/work.ts';

/** The fields that identify an event before and after it is published. */
interface EventIdentity {
  readonly name: string;
  readonly contactId: string | null;
  readonly occurredAt: Date;
}

const keyOf = ({ name, contactId, occurredAt }: EventIdentity): string =>
  `${name}:${contactId ?? ''}:${occurredAt.getTime()}`;

const keyOfMessage = (messageId: unknown): string => `message:${String(messageId)}`;

/** The runs that caused an event or another run, one after the other. */
export interface Cause {
  /** Their number; 0 if none did. */
  readonly depth: number;
  /** The first of them; null if none did, and for effects of older releases. */
  readonly root: string | null;
}

/** The cause of what comes from outside: a person, a call or another program. */
export const FROM_OUTSIDE: Cause = { depth: 0, root: null };

/**
 * Collects the events that the work emits from now on, including those of reactions. `record` stores
 * them, and the message that was sent, with their cause.
 */
export function traceEffects(work: Work): { record: (cause: Cause, sent?: string) => void } {
  const keys = new Set<string>();
  work.onEmit(({ name }, { contactId }, occurredAt) =>
    keys.add(keyOf({ name, contactId, occurredAt })),
  );
  return {
    record({ depth, root }, sent) {
      const { subAccountId, now } = work;
      const all = [...keys, ...(sent === undefined ? [] : [keyOfMessage(sent)])];
      if (all.length > 0) {
        work.write(RECORD, [subAccountId, all.map(() => newId(now)), all, depth, root]);
      }
    },
  };
}

const RECORD = `insert into workflow_effects (sub_account_id, id, key, depth, root)
  select $1, effect.id, effect.key, $4, $5 from unnest($2::uuid[], $3::text[]) as effect (id, key)`;

type CausedEvent = EventIdentity & { readonly data: object };

/** Returns the cause of each event: that of the longest chain if there are several. */
export async function findCauses(
  view: View,
  events: readonly CausedEvent[],
): Promise<(event: CausedEvent) => Cause> {
  const keysOf = (event: CausedEvent) => [
    keyOf(event),
    ...('messageId' in event.data ? [keyOfMessage(event.data.messageId)] : []),
  ];
  const keys = events.flatMap(keysOf);
  const found = await view.rows<Cause & { key: string }>(FIND, [view.subAccountId, keys]);
  const causes = new Map(found.map(({ key, depth, root }) => [key, { depth, root }]));
  return (event) =>
    keysOf(event)
      .map((key) => causes.get(key) ?? FROM_OUTSIDE)
      .reduce((longest, cause) => (cause.depth > longest.depth ? cause : longest));
}

const FIND = `select distinct on (key) key, depth, root from workflow_effects
  where sub_account_id = $1 and key = any($2::text[]) order by key, depth desc, root`;
