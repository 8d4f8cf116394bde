import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import type { Pipeline } from '../../../sdk/src/generated/pipelines.ts';
import { useCanWrite } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { useCreating } from '../shell/use-creating.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, useErrorText } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { showToast } from '../ui/toast.tsx';
import { Board } from './board.tsx';
import { DealList } from './deal-list.tsx';
import { useDeal, usePipelines } from './opportunity-queries.ts';
import { lazily } from '../ui/lazily.tsx';

const ForecastView = lazily(
  async () => (await import('./forecast-view.tsx')).ForecastView,
  <SkeletonRows />,
);

const DealDialog = lazily(async () => (await import('./deal-dialog.tsx')).DealDialog);

const VIEWS = ['board', 'list', 'forecast'] as const;

/** The deals of a pipeline, as a board, a list or a forecast. */
export function OpportunitiesPage() {
  const { opportunities, deals } = useMessages();
  const [params, setParams] = useSearchParams();
  const query = usePipelines();
  const { data: pipelines } = query;
  const pipeline = pipelines?.find(({ id }) => id === params.get('pipeline')) ?? pipelines?.[0];
  const view = VIEWS.find((one) => one === params.get('view')) ?? 'board';
  const canWrite = useCanWrite();
  const creating = useCreating();
  return (
    <Page
      title={opportunities.title}
      actions={
        pipeline && (
          <>
            {pipelines && pipelines.length > 1 && (
              <Select
                label={opportunities.pipeline}
                isLabelHidden
                value={pipeline.id}
                options={pipelines.map(({ id, name }) => ({ id, label: name }))}
                onChange={(id) => setParams({ view, pipeline: id }, { replace: true })}
              />
            )}
            {canWrite && (
              <Button look="primary" icon="plus" onPress={creating.begin}>
                {opportunities.newDeal}
              </Button>
            )}
          </>
        )
      }
    >
      <LoadState query={query} />
      {pipelines?.length === 0 && (
        <EmptyState icon="opportunities" title={opportunities.empty}>
          {opportunities.emptyText}
        </EmptyState>
      )}
      {pipeline && (
        <Tabs
          key={pipeline.id}
          label={deals.views}
          items={VIEWS.map((id) => ({ id, label: deals[id], content: contentOf(id, pipeline) }))}
          selected={view}
          onSelect={(id) => setParams({ pipeline: pipeline.id, view: id }, { replace: true })}
        />
      )}
      {pipeline && creating.isCreating && <DealDialog pipeline={pipeline} onClose={creating.end} />}
      {pipeline && <OpenedDeal pipeline={pipeline} />}
    </Page>
  );
}

/** The editor of the deal that the address names. If there is none any more, a toast says so. */
function OpenedDeal({ pipeline }: { readonly pipeline: Pipeline }) {
  const [params, setParams] = useSearchParams();
  const describe = useErrorText();
  const id = params.get('deal');
  const { data: deal, error } = useDeal(id);
  const isGone = error instanceof FrontdeskError && error.status === 404;
  // The dialog stays, with what was typed, while a deal cannot be read again.
  const refusal = deal === undefined || isGone ? error : null;
  const close = () =>
    setParams(
      [...params].filter(([name]) => name !== 'deal'),
      { replace: true },
    );
  const fail = useEffectEvent((reason: Error) => {
    const { title, detail } = describe(reason);
    showToast({ text: title, detail, isError: true });
    close();
  });
  useEffect(() => {
    if (refusal) {
      fail(refusal);
    }
  }, [refusal]);
  return (
    id !== null && deal && <DealDialog key={id} pipeline={pipeline} deal={deal} onClose={close} />
  );
}

function contentOf(view: (typeof VIEWS)[number], pipeline: Pipeline): ReactNode {
  switch (view) {
    case 'board':
      return <Board pipeline={pipeline} />;
    case 'list':
      return <DealList pipeline={pipeline} />;
    case 'forecast':
      return <ForecastView pipelineId={pipeline.id} />;
  }
}
