import * as s from '#core/schema/schema.ts';
import type { View } from '#core/work.ts';
import { readSubscription } from './read-subscription.ts';

/** For every path that names a subscription and nothing beyond it. */
export const ofSubscription = {
  params: s.request({ id: s.uuid() }),
  assertExists: (view: View, { id }: { readonly id: string }) => readSubscription(view, id),
};
