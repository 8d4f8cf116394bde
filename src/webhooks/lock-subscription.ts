import { lockerOf } from '#platform/lock-live.ts';
import { Subscription } from './subscription.entity.ts';

export const lockSubscription = lockerOf<Subscription>('webhook subscription', Subscription);
