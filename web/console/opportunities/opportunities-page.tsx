import { useState } from 'react';
import { DropZone } from 'react-aria-components/DropZone';
import type { DropItem } from 'react-aria-components/GridList';
import { isTextDropItem } from 'react-aria-components/useDragAndDrop';
import { useSearchParams } from 'wouter';
import type { Opportunity } from '../../../sdk/src/generated/opportunities.ts';
import type { Pipeline, PipelineSummary } from '../../../sdk/src/generated/pipelines.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { cx } from '../ui/cx.ts';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState, useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { DEAL_TYPE, DealCard } from './deal-card.tsx';
import { LostDialog } from './lost-dialog.tsx';
import {
  useDealsOf,
  useMoveDeal,
  usePipelines,
  usePipelineSummary,
  type DealMove,
} from './opportunity-queries.ts';
import styles from './opportunities.module.css';

/** The board: one column per stage of the pipeline. */
export function OpportunitiesPage() {
  const { opportunities } = useMessages();
  const [params, setParams] = useSearchParams();
  const { data: pipelines, error, refetch } = usePipelines();
  const pipeline = pipelines?.find(({ id }) => id === params.get('pipeline')) ?? pipelines?.[0];
  return (
    <Page
      title={opportunities.title}
      actions={
        pipelines &&
        pipelines.length > 1 &&
        pipeline && (
          <Select
            label={opportunities.pipeline}
            isLabelHidden
            value={pipeline.id}
            options={pipelines.map(({ id, name }) => ({ id, label: name }))}
            onChange={(id) => setParams({ pipeline: id }, { replace: true })}
          />
        )
      }
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {pipelines === undefined && error === null && <SkeletonRows />}
      {pipelines?.length === 0 && (
        <EmptyState icon="opportunities" title={opportunities.empty}>
          {opportunities.emptyText}
        </EmptyState>
      )}
      {pipeline && <Board key={pipeline.id} pipeline={pipeline} />}
    </Page>
  );
}

function Board({ pipeline }: { readonly pipeline: Pipeline }) {
  const { opportunities } = useMessages();
  const { data: summary } = usePipelineSummary(pipeline.id);
  const { mutate } = useMoveDeal();
  const describe = useErrorText();
  const [lost, setLost] = useState<Opportunity>();
  const apply = (move: DealMove) =>
    mutate(move, {
      onSuccess: () => showToast({ text: textOf(move), detail: move.deal.name }),
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
    });
  const textOf = (move: DealMove) =>
    move.kind === 'stage'
      ? opportunities.moved(pipeline.stages.find(({ id }) => id === move.stageId)?.name ?? '')
      : opportunities[move.kind];
  return (
    <div className={styles.board}>
      {pipeline.stages.map((stage) => (
        <StageColumn
          key={stage.id}
          stage={stage}
          stages={pipeline.stages}
          totals={summary?.stages.find(({ stageId }) => stageId === stage.id)}
          onMove={apply}
          onLost={setLost}
        />
      ))}
      {lost && (
        <LostDialog
          onClose={() => setLost(undefined)}
          onSubmit={(reason) => apply({ kind: 'lost', deal: lost, reason })}
        />
      )}
    </div>
  );
}

type Stage = Pipeline['stages'][number];

interface StageColumnProps {
  readonly stage: Stage;
  readonly stages: readonly Stage[];
  readonly totals: PipelineSummary['stages'][number] | undefined;
  readonly onMove: (move: DealMove) => void;
  readonly onLost: (deal: Opportunity) => void;
}

/** A stage with its deals; cards can be dropped on it. */
function StageColumn({ stage, stages, totals, onMove, onLost }: StageColumnProps) {
  const { opportunities } = useMessages();
  const format = useFormat();
  const { data, isPending, isError, error, refetch } = useDealsOf(stage.id);
  const deals = data?.data ?? [];
  const drop = async (items: readonly DropItem[]) => {
    for (const item of items.filter(isTextDropItem)) {
      const deal = JSON.parse(await item.getText(DEAL_TYPE)) as Opportunity;
      if (deal.stageId !== stage.id) {
        onMove({ kind: 'stage', deal, stageId: stage.id });
      }
    }
  };
  const values = (totals?.values ?? []).map(({ value, currency }) => format.money(value, currency));
  return (
    <section className={styles.column} aria-label={stage.name}>
      <header className={styles.head}>
        <h2 className={styles.stage}>{stage.name}</h2>
        <span className={styles.quiet}>{totals && opportunities.count(totals.count)}</span>
        <span className={styles.sum}>{values.join(' · ')}</span>
      </header>
      <DropZone
        aria-label={stage.name}
        className={cx(styles.drop)}
        getDropOperation={(types) => (types.has(DEAL_TYPE) ? 'move' : 'cancel')}
        onDrop={({ items }) => void drop(items)}
      >
        {isPending && <SkeletonRows count={3} />}
        {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && deals.length === 0 && <p className={styles.none}>{opportunities.emptyStage}</p>}
        <ul role="list" className={styles.cards}>
          {deals.map((deal) => (
            <DealCard key={deal.id} deal={deal} stages={stages} onMove={onMove} onLost={onLost} />
          ))}
        </ul>
      </DropZone>
    </section>
  );
}
