import { DropZone } from 'react-aria-components/DropZone';
import type { DropItem } from 'react-aria-components/GridList';
import { isTextDropItem } from 'react-aria-components/useDragAndDrop';
import type { Opportunity } from '../../../sdk/src/generated/opportunities.ts';
import type { Pipeline, PipelineSummary } from '../../../sdk/src/generated/pipelines.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { cx } from '../ui/cx.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { ErrorState } from '../ui/states.tsx';
import { DEAL_TYPE, DealCard } from './deal-card.tsx';
import { useDealsOf, usePipelineSummary, type DealMove } from './opportunity-queries.ts';
import { useDealMoves } from './use-deal-moves.tsx';
import styles from './opportunities.module.css';

/** The board: one column per stage of the pipeline. */
export function Board({ pipeline }: { readonly pipeline: Pipeline }) {
  const { data: summary } = usePipelineSummary(pipeline.id);
  const { move, lose, dialog } = useDealMoves(pipeline);
  return (
    <div className={styles.board}>
      {pipeline.stages.map((stage) => (
        <StageColumn
          key={stage.id}
          stage={stage}
          stages={pipeline.stages}
          totals={summary?.stages.find(({ stageId }) => stageId === stage.id)}
          onMove={move}
          onLost={lose}
        />
      ))}
      {dialog}
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
