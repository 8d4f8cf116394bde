import { useDrag } from 'react-aria-components/useDrag';
import { useRef } from 'react';
import { Link } from 'wouter';
import type { Pipeline } from '../../../sdk/src/generated/pipelines.ts';
import { useCanWrite } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { DealLink } from './deal-link.tsx';
import type { DealMove, ListedDeal } from './opportunity-queries.ts';
import styles from './opportunities.module.css';

/** The type of dragged deals. */
export const DEAL_TYPE = 'application/x-frontdesk-deal';

interface DealCardProps {
  readonly deal: ListedDeal;
  readonly stages: readonly Pipeline['stages'][number][];
  readonly onMove: (move: DealMove) => void;
  readonly onLost: (deal: ListedDeal) => void;
}

/** A deal, which is moved by dragging or with its menu. Viewers only see it. */
export function DealCard({ deal, stages, onMove, onLost }: DealCardProps) {
  const { common } = useMessages();
  const format = useFormat();
  const handle = useRef<HTMLLIElement>(null);
  const canWrite = useCanWrite();
  const { dragProps, isDragging } = useDrag({
    getItems: () => [{ [DEAL_TYPE]: JSON.stringify(deal) }],
    getAllowedDropOperations: () => ['move'],
    isDisabled: !canWrite,
  });
  const {
    role: _role,
    tabIndex: _tabIndex,
    ...dragging
  } = dragProps as typeof dragProps & {
    role?: string;
    tabIndex?: number;
  };
  return (
    <li ref={handle} {...dragging} className={cx(styles.card, isDragging && styles.dragged)}>
      <DealLink deal={deal} className={styles.name} />
      <span className={styles.quiet}>
        <Link href={`/contacts/${deal.contactId}`} className={styles.contact} draggable={false}>
          {deal.contactName || common.unnamed}
        </Link>
      </span>
      <span className={styles.foot}>
        <span className={styles.value}>
          {deal.value === null ? '' : format.money(deal.value, deal.currency)}
        </span>
        {canWrite && <MoveMenu {...{ deal, stages, onMove, onLost }} />}
      </span>
    </li>
  );
}

/** The stages and outcomes of a deal. */
function MoveMenu({ deal, stages, onMove, onLost }: DealCardProps) {
  const { opportunities } = useMessages();
  return (
    <Menu
      label={opportunities.moveTo}
      placement="bottom end"
      trigger={
        <Button look="ghost" isSmall>
          {opportunities.moveTo}
        </Button>
      }
    >
      <MenuChoice
        title={opportunities.stages}
        value={deal.stageId}
        options={stages.map(({ id, name }) => ({ id, label: name }))}
        onChoose={(stageId) => stageId !== deal.stageId && onMove({ kind: 'stage', deal, stageId })}
      />
      <MenuSeparator />
      <MenuItem icon="check" onAction={() => onMove({ kind: 'won', deal })}>
        {opportunities.won}
      </MenuItem>
      <MenuItem icon="close" onAction={() => onLost(deal)}>
        {opportunities.lost}
      </MenuItem>
    </Menu>
  );
}
