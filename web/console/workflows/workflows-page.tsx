import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import styles from './workflows.module.css';
import { useWorkflows, type Workflow } from './workflow-queries.ts';

/** All workflows. */
export function WorkflowsPage() {
  const { workflows } = useMessages();
  const query = useWorkflows();
  const { data: rows } = query;
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
      <LoadState query={query} />
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
