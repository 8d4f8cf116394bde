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

/**
 * Collects the events that the work emits from now on, including those of reactions. `record` stores
 * them, and the message that was sent, as caused by a run of the given depth.
 */
export function traceEffects(work: Work): { record: (depth: number, sent?: string) => void } {
  const keys = new Set<string>();
  work.onEmit(({ name }, { contactId }) =>
    keys.add(keyOf({ name, contactId, occurredAt: work.now })),
  );
  return {
    record(depth, sent) {
      const { subAccountId, now } = work;
      const all = [...keys, ...(sent === undefined ? [] : [keyOfMessage(sent)])];
      if (all.length > 0) {
        work.write(RECORD, [subAccountId, all.map(() => newId(now)), all, depth]);
      }
    },
  };
}

const RECORD = `insert into workflow_effects (sub_account_id, id, key, depth)
  select $1, effect.id, effect.key, $4 from unnest($2::uuid[], $3::text[]) as effect (id, key)`;

type CausedEvent = EventIdentity & { readonly data: object };

/** Returns the number of runs that caused each event, one after the other; 0 if none did. */
export async function depthsOf(
  view: View,
  events: readonly CausedEvent[],
): Promise<(event: CausedEvent) => number> {
  const keysOf = (event: CausedEvent) => [
    keyOf(event),
    ...('messageId' in event.data ? [keyOfMessage(event.data.messageId)] : []),
  ];
  const keys = events.flatMap(keysOf);
  const found = await view.rows<{ key: string; depth: number }>(FIND, [view.subAccountId, keys]);
  const depths = new Map(found.map(({ key, depth }) => [key, depth]));
  return (event) => Math.max(0, ...keysOf(event).map((key) => depths.get(key) ?? 0));
}

const FIND = `select key, max(depth) as depth from workflow_effects
  where sub_account_id = $1 and key = any($2::text[]) group by key`;
