import { useSearchParams, Link } from 'wouter';
import type { Opportunity } from '../../../sdk/src/generated/opportunities.ts';
import type { Pipeline } from '../../../sdk/src/generated/pipelines.ts';
import { rowsOf } from '../api/rows-of.ts';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { SearchField } from '../ui/field.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Select } from '../ui/select.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { DealLink } from './deal-link.tsx';
import {
  DEAL_STATUSES,
  useDeals,
  type DealMove,
  type DealStatus,
  type ListedDeal,
} from './opportunity-queries.ts';
import { useDealMoves } from './use-deal-moves.tsx';
import styles from './opportunities.module.css';

const TONES = { open: 'accent', won: 'good', lost: 'bad', abandoned: 'neutral' } as const;

/** Returns the search and the status that the address holds, and the function that changes them. */
function useDealFilter(pipelineId: string) {
  const [params, setParams] = useSearchParams();
  const search = params.get('q') ?? '';
  const status = DEAL_STATUSES.find((one) => one === params.get('status')) ?? null;
  const change = (next: { readonly q?: string; readonly status?: DealStatus | 'any' }) => {
    const values = { q: search, status: status ?? 'any', ...next };
    setParams(
      {
        pipeline: pipelineId,
        view: 'list',
        ...(values.q !== '' && { q: values.q }),
        ...(values.status !== 'any' && { status: values.status }),
      },
      { replace: true },
    );
  };
  return { search, status, change };
}

/** Every deal of a pipeline as a list, open and closed ones. */
export function DealList({ pipeline }: { readonly pipeline: Pipeline }) {
  const { deals, opportunities } = useMessages();
  const { search, status, change } = useDealFilter(pipeline.id);
  const query = useDeals({ pipelineId: pipeline.id, search, status });
  const { move, lose, dialog } = useDealMoves(pipeline);
  const columns = useDealColumns(pipeline, move, lose);
  const rows = rowsOf(query);
  const total = query.data?.pages[0]?.meta.total;
  return (
    <>
      <div className={styles.filters}>
        <SearchField label={deals.search} value={search} onChange={(q) => change({ q })} />
        <Select
          label={deals.status}
          isLabelHidden
          value={status ?? 'any'}
          options={[
            { id: 'any', label: deals.anyStatus },
            ...DEAL_STATUSES.map((id) => ({ id, label: deals.statuses[id] })),
          ]}
          onChange={(id) => change({ status: id })}
        />
        {total !== undefined && <span className={styles.quiet}>{opportunities.count(total)}</span>}
      </div>
      {rows === undefined ? (
        <NotLoaded error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Table
          label={opportunities.title}
          columns={columns}
          rows={rows}
          empty={
            <EmptyState icon="opportunities" title={deals.noMatch}>
              {deals.noMatchText}
            </EmptyState>
          }
        />
      )}
      <LoadMore query={query} />
      {dialog}
    </>
  );
}

function useDealColumns(
  pipeline: Pipeline,
  onMove: (move: DealMove) => void,
  onLost: (deal: Opportunity) => void,
): readonly TableColumn<ListedDeal>[] {
  const { deals, contacts, tasks, common } = useMessages();
  const format = useFormat();
  const canWrite = usePlace().membership.role !== 'viewer';
  const stageOf = (deal: ListedDeal) =>
    pipeline.stages.find(({ id }) => id === deal.stageId)?.name ?? '';
  const actions: TableColumn<ListedDeal> = {
    id: 'actions',
    title: deals.act,
    cell: (deal) => (
      <DealMenu deal={deal} stages={pipeline.stages} onMove={onMove} onLost={onLost} />
    ),
    width: '6rem',
  };
  const contactOf = ({ contactId, contactName }: ListedDeal) => (
    <Link href={`/contacts/${contactId}`} className={styles.contact}>
      {contactName || common.unnamed}
    </Link>
  );
  const valueOf = ({ value, currency }: ListedDeal) =>
    value === null ? '' : format.money(value, currency);
  const closeOf = ({ expectedCloseDate }: ListedDeal) =>
    expectedCloseDate === null ? '' : format.day(expectedCloseDate);
  const isSecondary = true;
  return [
    { id: 'name', title: deals.name, cell: (deal) => <DealLink deal={deal} /> },
    { id: 'contact', title: tasks.contact, cell: contactOf, isSecondary },
    { id: 'stage', title: contacts.stage, cell: stageOf, isSecondary, width: '8rem' },
    { id: 'status', title: deals.status, cell: (deal) => <DealStatusCell deal={deal} /> },
    { id: 'value', title: deals.value, cell: valueOf, isNumber: true, width: '7.5rem' },
    { id: 'close', title: deals.expectedClose, cell: closeOf, isSecondary, width: '9rem' },
    ...(canWrite ? [actions] : []),
  ];
}

/** The status, and why a deal was lost. */
function DealStatusCell({ deal: { status, lostReason } }: { readonly deal: ListedDeal }) {
  const { deals } = useMessages();
  return (
    <span title={lostReason ?? undefined}>
      <Badge tone={TONES[status]}>{deals.statuses[status]}</Badge>{' '}
      {lostReason !== null && <span className={styles.quiet}>{lostReason}</span>}
    </span>
  );
}

interface DealMenuProps {
  readonly deal: ListedDeal;
  readonly stages: Pipeline['stages'];
  readonly onMove: (move: DealMove) => void;
  readonly onLost: (deal: Opportunity) => void;
}

/** Moves a deal, ends it, or opens it again. */
function DealMenu({ deal, stages, onMove, onLost }: DealMenuProps) {
  const { deals, opportunities } = useMessages();
  return (
    <Menu
      label={deals.actions(deal.name)}
      placement="bottom end"
      trigger={<IconButton icon="more" label={deals.actions(deal.name)} isSmall />}
    >
      <MenuChoice
        title={opportunities.stages}
        value={deal.stageId}
        options={stages.map(({ id, name }) => ({ id, label: name }))}
        onChoose={(stageId) => stageId !== deal.stageId && onMove({ kind: 'stage', deal, stageId })}
      />
      <MenuSeparator />
      {deal.status !== 'won' && (
        <MenuItem icon="check" onAction={() => onMove({ kind: 'won', deal })}>
          {deals.markWon}
        </MenuItem>
      )}
      {deal.status !== 'lost' && (
        <MenuItem icon="close" onAction={() => onLost(deal)}>
          {opportunities.lostTitle}
        </MenuItem>
      )}
      {deal.status !== 'open' && (
        <MenuItem icon="retry" onAction={() => onMove({ kind: 'open', deal })}>
          {deals.reopen}
        </MenuItem>
      )}
    </Menu>
  );
}
