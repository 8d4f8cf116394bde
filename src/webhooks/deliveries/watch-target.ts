import type { View } from '#core/work.ts';
import { VERSION, type Target } from './delivery-target.ts';

/** Nothing is begun that was not looked at within so long. */
const HOLDS_MS = 100;
/** Asked for again from then on, so that a busy turn need not wait for the answer. */
const ASK_AFTER_MS = 50;

interface Watch {
  /** Looks whether the target is what it was, unless that was done a moment ago. */
  look(): Promise<void>;
  isChanged(): boolean;
}

/**
 * Notices that somebody has changed or deleted the subscription that is served: what has not begun
 * by then is for its new secret and URL, or for nobody.
 */
export function watchTarget(viewNow: () => View, target: Target): Watch {
  let lookedAt = performance.now();
  let isChanged = false;
  let looking: Promise<void> | undefined;

  const ask = async () => {
    const askedAt = performance.now();
    isChanged ||= !(await isSame(viewNow(), target));
    lookedAt = askedAt;
  };
  return {
    async look() {
      const ageMs = performance.now() - lookedAt;
      if (ageMs < ASK_AFTER_MS) {
        return;
      }
      looking ??= ask().finally(() => {
        looking = undefined;
      });
      if (ageMs < HOLDS_MS) {
        // Where it fails, whoever has to wait for an answer asks again.
        looking.catch(() => undefined);
      } else {
        await looking;
      }
    },
    isChanged: () => isChanged,
  };
}

async function isSame(
  view: View,
  { subAccountId, subscriptionId, version }: Target,
): Promise<boolean> {
  const found = await view.rows(SAME, [subAccountId, subscriptionId, version]);
  return found.length > 0;
}

const SAME = `select from webhook_subscriptions s
  where s.sub_account_id = $1 and s.id = $2 and ${VERSION} = $3`;
