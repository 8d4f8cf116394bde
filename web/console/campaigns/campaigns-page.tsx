import { useLocation, useSearchParams } from 'wouter';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, TIME_WIDTH, type TableColumn } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useCampaignMessages } from './campaign-messages.ts';
import { RecurringTable } from './recurring/recurring-table.tsx';
import { ZonedTime } from './zoned-time.tsx';
import { useCampaigns, type CampaignRow } from './campaign-queries.ts';

/** All campaigns, and those that recur. */
export function CampaignsPage() {
  const { campaigns, compose } = useCampaignMessages();
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const items = [
    { id: 'all', label: compose.all, content: <CampaignTable /> },
    { id: 'recurring', label: compose.recurring, content: <RecurringTable /> },
  ];
  return (
    <Page
      title={campaigns.title}
      actions={
        <Button look="primary" icon="plus" onPress={() => navigate('/campaigns/new')}>
          {compose.newCampaign}
        </Button>
      }
    >
      <Tabs
        label={campaigns.title}
        items={items}
        selected={items.find(({ id }) => id === params.get('tab'))?.id ?? 'all'}
        onSelect={(tab) => setParams({ tab }, { replace: true })}
      />
    </Page>
  );
}

function useColumns(): readonly TableColumn<CampaignRow>[] {
  const { campaigns, compose } = useCampaignMessages();
  const { timezone } = usePlace().membership;
  const format = useFormat(timezone);
  return [
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
      id: 'when',
      title: compose.when,
      cell: ({ startedAt, scheduledAt }) => {
        const at = startedAt ?? scheduledAt;
        return at === null ? '–' : <ZonedTime at={at} isBrief />;
      },
      isSecondary: true,
      width: TIME_WIDTH,
    },
    {
      id: 'mails',
      title: compose.mails,
      cell: ({ startedAt, recipients }) =>
        startedAt !== null &&
        compose.ofTotal(format.number(recipients.sent), format.number(totalOf(recipients))),
      isSecondary: true,
      width: '8rem',
    },
    {
      id: 'created',
      title: campaigns.created,
      cell: ({ createdAt }) => format.day(createdAt),
      isSecondary: true,
      width: '8rem',
    },
  ];
}

const totalOf = (recipients: CampaignRow['recipients']): number =>
  Object.values(recipients).reduce((sum, count) => sum + count, 0);

function CampaignTable() {
  const { campaigns } = useMessages();
  const query = useCampaigns();
  const columns = useColumns();
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const empty = (
    <EmptyState icon="campaigns" title={campaigns.empty}>
      {campaigns.emptyText}
    </EmptyState>
  );
  return (
    <>
      {rows === undefined && <NotLoaded error={query.error} onRetry={() => void query.refetch()} />}
      {rows && (
        <Table
          label={campaigns.title}
          columns={columns}
          rows={rows}
          hrefOf={({ id }) => `/campaigns/${id}`}
          empty={empty}
        />
      )}
      <LoadMore query={query} />
    </>
  );
}
