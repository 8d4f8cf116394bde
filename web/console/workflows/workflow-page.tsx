import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DefinitionTree } from './definition-tree.tsx';
import { DryRunDialog } from './dry-run-dialog.tsx';
import { useRuns, useWorkflows, type RunRow } from './workflow-queries.ts';

/** A workflow: its runs, and what it does. */
export function WorkflowPage({ slug }: { readonly slug: string }) {
  const { workflows, common } = useMessages();
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const [isTrying, setTrying] = useState(false);
  const { data, error, refetch } = useWorkflows();
  const workflow = data?.find((one) => one.slug === slug);
  const items = [
    { id: 'runs', label: workflows.runs, content: <Runs slug={slug} /> },
    {
      id: 'steps',
      label: workflows.steps,
      content: workflow ? <DefinitionTree workflow={workflow} /> : <SkeletonRows />,
    },
  ];
  return (
    <Page
      title={workflow?.name ?? slug}
      hint={workflow && !workflow.active && <Badge>{workflows.inactive}</Badge>}
      before={<IconButton icon="back" label={common.back} onPress={() => navigate('/workflows')} />}
      actions={<Button onPress={() => setTrying(true)}>{workflows.tryOut}</Button>}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      <Tabs
        label={workflow?.name ?? slug}
        items={items}
        selected={items.find(({ id }) => id === params.get('tab'))?.id ?? 'runs'}
        onSelect={(tab) => setParams({ tab }, { replace: true })}
      />
      {isTrying && <DryRunDialog slug={slug} onClose={() => setTrying(false)} />}
    </Page>
  );
}

function Runs({ slug }: { readonly slug: string }) {
  const { workflows, common } = useMessages();
  const format = useFormat();
  const query = useRuns(slug);
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const columns: readonly TableColumn<RunRow>[] = [
    { id: 'at', title: workflows.started, cell: ({ createdAt }) => format.dayAndTime(createdAt) },
    { id: 'trigger', title: workflows.trigger, cell: ({ trigger }) => trigger, isSecondary: true },
    {
      id: 'waiting',
      title: workflows.waitsFor,
      cell: ({ waitingFor, dueAt }) =>
        [waitingFor, dueAt !== null && workflows.until(format.dayAndTime(dueAt))]
          .filter(Boolean)
          .join(', '),
      isSecondary: true,
    },
    {
      id: 'status',
      title: workflows.status,
      cell: ({ status }) => <Badge>{workflows.statuses[status]}</Badge>,
      width: '8rem',
    },
  ];
  return (
    <>
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
    </>
  );
}
