import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { DefinitionTree } from './definition-tree.tsx';
import { DryRunDialog } from './dry-run-dialog.tsx';
import { Runs } from './runs.tsx';
import { useWorkflows } from './workflow-queries.ts';

/** A workflow: its runs, and what it does. */
export function WorkflowPage({ slug }: { readonly slug: string }) {
  const { workflows, common } = useMessages();
  const [, navigate] = useLocation();
  const [params, setParams] = useSearchParams();
  const [isTrying, setTrying] = useState(false);
  const { data, error, refetch } = useWorkflows();
  const workflow = data?.find((one) => one.slug === slug);
  const items = [
    { id: 'runs', label: workflows.runs, content: <Runs slug={slug} workflow={workflow} /> },
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
