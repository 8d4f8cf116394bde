import type { TestService } from '../../support/service.ts';

interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly status: string;
  readonly scheduledAt: Date | null;
}

/** Returns the campaigns of the sub-account, newest first. */
export const findCampaigns = ({
  database,
  subAccountId,
}: Pick<TestService, 'database' | 'subAccountId'>): Promise<RunRow[]> =>
  database.rows<RunRow>(
    `select id, name, subject, status, scheduled_at as "scheduledAt"
     from campaigns where sub_account_id = $1 order by id desc`,
    [subAccountId],
  );
