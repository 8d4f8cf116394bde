import { useMutation, useQueryClient } from '@tanstack/react-query';
import { consoleCalls } from '../../api/client.ts';
import { usePlace } from '../../api/session.ts';
import { useCampaignData } from '../compose-queries.ts';

export interface Recurring {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  /** A cron expression. */
  readonly repeat: string;
  readonly timezone: string;
  readonly active: boolean;
  readonly nextRunAt: string | null;
  readonly lastRunAt: string | null;
  readonly lastError: string | null;
  readonly lastCampaign: { readonly id: string } | null;
}

/** Returns the recurring campaigns by the time of their next run. */
export const useRecurring = () =>
  useCampaignData<Recurring[]>('recurring-campaigns', ['recurring']);

interface Manifest {
  readonly campaigns?: readonly ({ readonly key: string } & Readonly<Record<string, unknown>>)[];
}

/** Pauses or resumes a recurring campaign, which is defined in the manifest. */
export function useSwitchRecurring() {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ key, active }: Pick<Recurring, 'key' | 'active'>) {
      const calls = consoleCalls(subAccountId);
      const { manifest } = await calls.data<{ readonly manifest: Manifest }>(
        'GET',
        '/api/v1/manifest',
        {},
      );
      const { campaigns = [] } = manifest;
      const entries = campaigns.filter((entry) => entry.key === key);
      const changed = entries.map((entry) => ({ ...entry, active }));
      return calls.data('POST', '/api/v1/manifest/apply', {
        body: { source: JSON.stringify({ campaigns: changed }), base: { campaigns } },
      });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [subAccountId, 'campaigns'] }),
  });
}
