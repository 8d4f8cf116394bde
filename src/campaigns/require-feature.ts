import { Fault } from '#core/fault.ts';
import type { CachedRead, View } from '#core/work.ts';

const FEATURE = 'campaigns';

/** Throws feature_unavailable where the sub-account's features are named and campaigns are none. */
export async function requireFeature(view: View): Promise<void> {
  const [found] = await view.cached(FEATURES);
  if (found && !hasCampaigns(found.features)) {
    throw new Fault(
      'feature_unavailable',
      'feature_unavailable: the sub-account does not have campaigns',
    );
  }
}

const hasCampaigns = (features: readonly string[] | null): boolean =>
  features === null || features.includes(FEATURE);

const FEATURES: CachedRead<{ readonly features: string[] | null }> = {
  tables: ['sub_accounts'],
  text: 'select features from sub_accounts where id = $1',
};
