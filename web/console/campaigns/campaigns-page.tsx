import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { useCampaigns, type CampaignRow } from './campaign-queries.ts';

/** All campaigns. */
export function CampaignsPage() {
  const { campaigns, common } = useMessages();
  const format = useFormat();
  const query = useCampaigns();
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const columns: readonly TableColumn<CampaignRow>[] = [
    { id: 'name', title: campaigns.name, cell: ({ name }) => name },
    {
      id: 'subject',
      title: campaigns.subject,
      cell: ({ subject }) => subject,
      isSecondary: true,
    },
    {
      id: 'status',
      title: campaigns.status,
      cell: ({ status }) => <Badge>{campaigns.statuses[status]}</Badge>,
      width: '8rem',
    },
    {
      id: 'created',
      title: campaigns.created,
      cell: ({ createdAt }) => format.day(createdAt),
      isSecondary: true,
      width: '10rem',
    },
  ];
  const empty = (
    <EmptyState icon="campaigns" title={campaigns.empty}>
      {campaigns.emptyText}
    </EmptyState>
  );
  return (
    <Page title={campaigns.title}>
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <SkeletonRows />}
      {rows && (
        <Table
          label={campaigns.title}
          columns={columns}
          rows={rows}
          hrefOf={({ id }) => `/campaigns/${id}`}
          empty={empty}
        />
      )}
      {query.hasNextPage && (
        <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          {common.loadMore}
        </Button>
      )}
    </Page>
  );
}
