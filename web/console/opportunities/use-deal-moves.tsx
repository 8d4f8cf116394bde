import { useState, type ReactNode } from 'react';
import type { Opportunity } from '../../../sdk/src/generated/opportunities.ts';
import type { Pipeline } from '../../../sdk/src/generated/pipelines.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { LostDialog } from './lost-dialog.tsx';
import { useMoveDeal, type DealMove } from './opportunity-queries.ts';

interface DealMoves {
  readonly move: (move: DealMove) => void;
  /** Asks for the reason, then marks the deal as lost. */
  readonly lose: (deal: Opportunity) => void;
  /** The dialog that asks; it belongs on the page. */
  readonly dialog: ReactNode;
}

/** Returns what moves deals of a pipeline, and says what became of them; `onMoved` is called after each move. */
export function useDealMoves(pipeline: Pipeline, onMoved?: () => void): DealMoves {
  const { opportunities, deals } = useMessages();
  const { mutate } = useMoveDeal();
  const describe = useErrorText();
  const [lost, setLost] = useState<Opportunity>();
  const textOf = (one: DealMove): string => {
    switch (one.kind) {
      case 'stage':
        return opportunities.moved(
          pipeline.stages.find(({ id }) => id === one.stageId)?.name ?? '',
        );
      case 'open':
        return deals.reopened;
      case 'won':
      case 'lost':
        return opportunities[one.kind];
    }
  };
  const move = (one: DealMove) =>
    mutate(one, {
      onSuccess() {
        showToast({ text: textOf(one), detail: one.deal.name });
        onMoved?.();
      },
      onError(error) {
        const { title, detail } = describe(error);
        showToast({ text: title, detail, isError: true });
      },
    });
  const dialog = lost && (
    <LostDialog
      name={lost.name}
      onClose={() => setLost(undefined)}
      onSubmit={(reason) => move({ kind: 'lost', deal: lost, reason })}
    />
  );
  return { move, lose: setLost, dialog };
}
