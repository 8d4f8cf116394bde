import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import styles from './workflows.module.css';
import { useWorkflows, type Workflow } from './workflow-queries.ts';

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
  return (
    <Page title={workflows.title}>
      <p className={styles.about}>{workflows.about}</p>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {rows === undefined && error === null && <SkeletonRows />}
      {rows && (
        <Table
          label={workflows.title}
          columns={columns}
          rows={rows}
          hrefOf={({ slug }) => `/workflows/${encodeURIComponent(slug)}`}
          empty={<EmptyState icon="workflows" title={workflows.empty} />}
        />
      )}
    </Page>
  );
}
