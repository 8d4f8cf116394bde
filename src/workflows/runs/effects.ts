import { newId } from '#lib/id.ts';
import type { View, Work } from '#core/work.ts';

/** An event as it can be known again once it is published. */
interface Fact {
  readonly name: string;
  readonly contactId: string | null;
  readonly occurredAt: Date;
}

const keyOf = ({ name, contactId, occurredAt }: Fact): string =>
  `${name}:${contactId ?? ''}:${occurredAt.getTime()}`;

const keyOfMessage = (messageId: unknown): string => `message:${String(messageId)}`;

/**
 * Notes every event that the work emits from now on, by reactions too. `keep` records them, and the
 * message that was sent, as caused by a run of that depth.
 */
export function traceEffects(work: Work): { keep: (depth: number, sent?: string) => void } {
  const keys = new Set<string>();
  work.onEmit(({ name }, { contactId }) =>
    keys.add(keyOf({ name, contactId, occurredAt: work.now })),
  );
  return {
    keep(depth, sent) {
      const { subAccountId, now } = work;
      const all = [...keys, ...(sent === undefined ? [] : [keyOfMessage(sent)])];
      if (all.length > 0) {
        work.write(KEEP, [subAccountId, all.map(() => newId(now)), all, depth]);
      }
    },
  };
}

const KEEP = `insert into workflow_effects (sub_account_id, id, key, depth)
  select $1, effect.id, effect.key, $4 from unnest($2::uuid[], $3::text[]) as effect (id, key)`;

type Caused = Fact & { readonly data: object };

/** How many runs stand behind each event; none where it was a person, or another program. */
export async function depthsOf(
  view: View,
  events: readonly Caused[],
): Promise<(event: Caused) => number> {
  const keysOf = (event: Caused) => [
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
