import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { PublicEndpoint } from '#core/endpoint/public-endpoint.ts';
import type { Reply } from '#core/endpoint/reply.ts';
import { Fault } from '#core/fault.ts';
import type { Actor, Transact, Work } from '#core/work.ts';
import { answered, settled, type Answered } from '../answer.ts';
import { claim, isKept, keep, storedEnvelope, type Repeatable } from './idempotency.ts';
import { errorText } from '../errors/refusal.ts';

interface Repeated {
  readonly endpoint: KeyedEndpoint | PublicEndpoint;
  readonly repeatable: Repeatable;
  readonly subAccountId: string;
  readonly actor: Actor;
  readonly run: (work: Work) => Promise<Reply>;
}

/** Writes like any change, but an answer that was given before is given again instead. */
export async function repeatably(transact: Transact, repeated: Repeated): Promise<Answered> {
  const { endpoint, repeatable, subAccountId, actor, run } = repeated;
  let started = false;
  try {
    return await transact(
      subAccountId,
      actor,
      async (work) => {
        const kept = await claim(work, repeatable);
        started = kept === undefined;
        return kept ? { kept } : { reply: await run(work) };
      },
      async (view, { kept, reply }): Promise<Answered> => {
        if (kept) {
          return { status: kept.status, text: kept.body, replayed: true };
        }
        const outcome = await settled(view, reply);
        const answer = answered(endpoint, outcome);
        await keep(view, repeatable, answer.status, storedEnvelope(outcome, endpoint));
        return answer;
      },
    );
  } catch (error) {
    // Of a visitor nothing is kept but what he did: he may name what never was, without end.
    const mayBeKept = started && actor.kind !== 'visitor';
    if (mayBeKept && error instanceof Fault && isKept(error)) {
      await keepRefusal(transact, repeated, error);
    }
    throw error;
  }
}

/** The refused transaction is gone, and the claim with it; whoever claimed in between goes first. */
async function keepRefusal(
  transact: Transact,
  { repeatable, subAccountId, actor }: Repeated,
  refusal: Fault,
): Promise<void> {
  try {
    await transact(subAccountId, actor, async (work) => {
      if (!(await claim(work, repeatable))) {
        await keep(work, repeatable, refusal.status, errorText(refusal));
      }
    });
  } catch (error) {
    if (!(error instanceof Fault)) {
      throw error;
    }
  }
}
