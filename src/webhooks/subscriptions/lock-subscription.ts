import { lockerOf } from '#platform/database/lock-live.ts';
import { Subscription } from './subscription.entity.ts';

export const lockSubscription = lockerOf<Subscription>('webhook subscription', Subscription);
