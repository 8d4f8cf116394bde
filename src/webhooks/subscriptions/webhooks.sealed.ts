import { MOVED_WITHOUT_SECRET, type Sealed } from '#core/secrets.ts';
import { newSecret, secretPlace } from './subscription.store.ts';

/** A subscription gets a new random secret and is disabled, since its receiver does not know it. */
export const sealedSigning: Sealed = {
  columns: ['webhook_subscriptions.secret', 'webhook_subscriptions.previous_secret'],
  async leaveOut({ rows, secrets }) {
    const found = await rows<{ id: string; url: string; isLive: boolean }>(SUBSCRIPTIONS);
    for (const { id } of found) {
      await rows(RESEAL, [id, secrets.seal(newSecret(), secretPlace(id)), MOVED_WITHOUT_SECRET]);
    }
    return found
      .filter(({ isLive }) => isLive)
      .map(({ id, url }) => `the signing secret of webhook ${id} (${url}), now disabled`);
  },
};

const SUBSCRIPTIONS = `
  select id, url, deleted_at is null as "isLive" from incoming_webhook_subscriptions order by id`;

const RESEAL = `
  update incoming_webhook_subscriptions
  set secret = $2, previous_secret = null, previous_until = null, status = 'disabled',
    disabled_reason = $3
  where id = $1`;
