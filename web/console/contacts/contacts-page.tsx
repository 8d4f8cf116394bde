import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Contact, LifecycleStage } from '../../../sdk/src/generated/contacts.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { useContacts } from './contact-queries.ts';
import { NewContactDialog } from './new-contact-dialog.tsx';
import styles from './contacts.module.css';

const STAGES = ['lead', 'qualified', 'customer', 'repeat', 'inactive'] as const;

/** The search and the stage, as the address holds them. */
function useContactFilter() {
  const [params, setParams] = useSearchParams();
  const filter = {
    search: params.get('q') ?? '',
    stage: STAGES.find((stage) => stage === params.get('stage')) ?? null,
  };
  const change = (part: Partial<typeof filter>) => {
    const { search, stage } = { ...filter, ...part };
    const next = { ...(search !== '' && { q: search }), ...(stage && { stage }) };
    setParams(new URLSearchParams(next), { replace: true });
  };
  return [filter, change] as const;
}

/** All contacts, with search. */
export function ContactsPage() {
  const { contacts, common } = useMessages();
  const [filter, change] = useContactFilter();
  const [isCreating, setCreating] = useState(false);
  const query = useContacts(filter);
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const total = query.data?.pages[0]?.meta.total;
  return (
    <Page
      title={contacts.title}
      hint={total === undefined ? undefined : contacts.count(total)}
      actions={
        <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
          {contacts.newContact}
        </Button>
      }
      filters={
        <>
          <SearchField
            label={contacts.search}
            value={filter.search}
            onChange={(search) => change({ search })}
          />
          <StageSelect stage={filter.stage} onChange={(stage) => change({ stage })} />
        </>
      }
    >
      {query.isError && rows.length === 0 ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <SkeletonRows count={12} />
      ) : (
        <ContactTable rows={rows} isFiltered={filter.search !== '' || filter.stage !== null} />
      )}
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {common.loadMore}
          </Button>
        </div>
      )}
      {isCreating && <NewContactDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface StageSelectProps {
  readonly stage: LifecycleStage | null;
  readonly onChange: (stage: LifecycleStage | null) => void;
}

function StageSelect({ stage, onChange }: StageSelectProps) {
  const { contacts } = useMessages();
  const options = [
    { id: 'any' as const, label: contacts.anyStage },
    ...STAGES.map((id) => ({ id, label: contacts.stages[id] })),
  ];
  return (
    <Select
      label={contacts.stage}
      isLabelHidden
      options={options}
      value={stage ?? 'any'}
      onChange={(id) => onChange(id === 'any' ? null : id)}
    />
  );
}

interface ContactTableProps {
  readonly rows: readonly Contact[];
  readonly isFiltered: boolean;
}

function ContactTable({ rows, isFiltered }: ContactTableProps) {
  const { contacts, common } = useMessages();
  const format = useFormat();
  const columns: readonly TableColumn<Contact>[] = [
    {
      id: 'name',
      title: contacts.name,
      cell: ({ firstName, lastName }) => {
        const name = `${firstName} ${lastName}`.trim() || common.unnamed;
        return (
          <span className={styles.name}>
            <Avatar name={name} isSmall />
            <span className={styles.nameText}>{name}</span>
          </span>
        );
      },
    },
    { id: 'email', title: contacts.email, cell: ({ email }) => email ?? '' },
    {
      id: 'phone',
      title: contacts.phone,
      cell: ({ phone }) => phone ?? '',
      isSecondary: true,
      width: '10rem',
    },
    {
      id: 'company',
      title: contacts.company,
      cell: ({ company }) => company ?? '',
      isSecondary: true,
    },
    {
      id: 'stage',
      title: contacts.stage,
      cell: ({ lifecycleStage }) => <Badge>{contacts.stages[lifecycleStage]}</Badge>,
      width: '7.5rem',
      isSecondary: true,
    },
    {
      id: 'created',
      title: contacts.created,
      cell: ({ createdAt }) => format.short(createdAt),
      width: '8rem',
      isSecondary: true,
    },
  ];
  return (
    <Table
      label={contacts.title}
      columns={columns}
      rows={rows}
      hrefOf={({ id }) => `/contacts/${id}`}
      empty={
        <EmptyState icon="contacts" title={isFiltered ? contacts.emptySearch : contacts.empty}>
          {isFiltered ? contacts.emptySearchText : contacts.emptyText}
        </EmptyState>
      }
    />
  );
}
