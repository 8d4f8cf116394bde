import { useLocation } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { useRuns, useWorkflows, type RunRow, type Workflow } from './workflow-queries.ts';

/** All workflows. */
export function WorkflowsPage() {
  const { workflows } = useMessages();
  const { data: rows, error, refetch } = useWorkflows();
  const columns: readonly TableColumn<Workflow>[] = [
    { id: 'name', title: workflows.name, cell: ({ name }) => name },
    {
      id: 'active',
      title: workflows.status,
      cell: ({ active }) => (
        <Badge tone={active ? 'good' : 'neutral'}>
          {active ? workflows.active : workflows.inactive}
        </Badge>
      ),
      width: '7rem',
    },
    {
      id: 'running',
      title: workflows.running,
      cell: ({ running }) => running,
      isNumber: true,
      isSecondary: true,
    },
    {
      id: 'waiting',
      title: workflows.waiting,
      cell: ({ waiting }) => waiting,
      isNumber: true,
      isSecondary: true,
    },
  ];
  const empty = (
    <EmptyState icon="workflows" title={workflows.empty}>
      {workflows.emptyText}
    </EmptyState>
  );
  return (
    <Page title={workflows.title}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {rows === undefined && error === null && <SkeletonRows />}
      {rows && (
        <Table
          label={workflows.title}
          columns={columns}
          rows={rows}
          hrefOf={({ slug }) => `/workflows/${encodeURIComponent(slug)}`}
          empty={empty}
        />
      )}
    </Page>
  );
}

/** The runs of a workflow. */
export function WorkflowPage({ slug }: { readonly slug: string }) {
  const { workflows, common } = useMessages();
  const [, navigate] = useLocation();
  const format = useFormat();
  const query = useRuns(slug);
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const columns: readonly TableColumn<RunRow>[] = [
    { id: 'at', title: workflows.started, cell: ({ createdAt }) => format.dayAndTime(createdAt) },
    { id: 'trigger', title: workflows.trigger, cell: ({ trigger }) => trigger, isSecondary: true },
    {
      id: 'status',
      title: workflows.status,
      cell: ({ status }) => <Badge>{workflows.statuses[status]}</Badge>,
      width: '8rem',
    },
  ];
  return (
    <Page
      title={slug}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate('/workflows')} />}
    >
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <SkeletonRows />}
      {rows && (
        <Table
          label={workflows.runs}
          columns={columns}
          rows={rows}
          hrefOf={({ id }) => `/workflows/${encodeURIComponent(slug)}/runs/${id}`}
          empty={<EmptyState icon="workflows" title={workflows.noRuns} />}
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
