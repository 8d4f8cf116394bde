import { useState } from 'react';
import { useLocation } from 'wouter';
import type { LifecycleStage } from '../../../sdk/src/generated/contacts.ts';
import { rowsOf } from '../api/rows-of.ts';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Page } from '../shell/page.tsx';
import { useCreating } from '../shell/use-creating.ts';
import { Button } from '../ui/button.tsx';
import { SearchField } from '../ui/field.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Select } from '../ui/select.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { useColumns } from './contact-columns.ts';
import { isSameFilter, STAGES, useContactFilter, type ContactFilter } from './contact-filter.ts';
import { useContacts } from './contact-queries.ts';
import { ContactTable } from './contact-table.tsx';
import { FilterButton } from './filter-dialog.tsx';
import { NewContactDialog } from './new-contact-dialog.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { ViewMenu } from './view-menu.tsx';
import { useContactViews, useSaveColumns, type NamedView } from './view-queries.ts';

/** Returns the saved views, the open one, and its columns. */
function useOpenView(viewId: string | null) {
  const { data: saved = [] } = useContactViews();
  const views = saved.filter((one): one is NamedView => one.name !== null);
  const view = views.find(({ id }) => id === viewId);
  const columns = (view ?? saved.find(({ name }) => name === null))?.columns;
  return { views, view, ...useColumns(columns) };
}

/** All contacts, with search, filters and saved views. */
export function ContactsPage() {
  const { contacts, settings } = useMessages();
  const [, navigate] = useLocation();
  const { role } = usePlace().membership;
  const canWrite = role !== 'viewer';
  const isAdmin = canWrite && role !== 'agent';
  const { filter, viewId, open } = useContactFilter();
  const { views, view, all, chosen } = useOpenView(viewId);
  const creating = useCreating();
  const query = useContacts(filter);
  const total = query.data?.pages[0]?.meta.total;
  const saveColumns = useSaveColumns(view);
  const showError = useShowError();
  return (
    <Page
      title={contacts.title}
      hint={total === undefined ? undefined : contacts.count(total)}
      actions={
        canWrite && (
          <>
            {isAdmin && (
              <Button onPress={() => navigate('/settings?tab=import')}>{settings.imports}</Button>
            )}
            <Button look="primary" icon="plus" onPress={creating.begin}>
              {contacts.newContact}
            </Button>
          </>
        )
      }
      filters={
        <>
          <SearchField
            label={contacts.search}
            value={filter.search ?? ''}
            onChange={(search) => open({ ...filter, search })}
          />
          <ViewMenu
            views={views}
            view={view}
            filter={filter}
            columns={chosen.map(({ id }) => id)}
            onOpen={open}
          />
          <StageSelect filter={filter} onChange={open} />
          <FilterButton filter={filter} onApply={open} />
          <ColumnsMenu
            all={all}
            chosen={chosen}
            onChange={(columns) => saveColumns.mutate(columns, { onError: showError })}
          />
        </>
      }
    >
      <ContactList key={JSON.stringify(filter)} filter={filter} query={query} columns={chosen} />
      {creating.isCreating && <NewContactDialog onClose={creating.end} />}
    </Page>
  );
}

interface ContactListProps {
  readonly filter: ContactFilter;
  readonly query: ReturnType<typeof useContacts>;
  readonly columns: ReturnType<typeof useColumns>['chosen'];
}

/** The rows that a filter finds, and what is selected of them. */
function ContactList({ filter, query, columns }: ContactListProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const rows = rowsOf(query);
  const select = (ids: ReadonlySet<string>) => {
    setSelected(ids);
    setAll(false);
  };
  if (rows === undefined) {
    return <NotLoaded error={query.error} onRetry={() => void query.refetch()} count={12} />;
  }
  const total = query.data?.pages[0]?.meta.total ?? rows.length;
  return (
    <>
      <ContactTable
        rows={rows}
        columns={columns}
        isFiltered={!isSameFilter(filter, {})}
        selected={isAll ? new Set(rows.map(({ id }) => id)) : selected}
        onSelect={select}
      />
      <LoadMore query={query} />
      {(isAll || selected.size > 0) && (
        <BulkBar
          selected={selected}
          isAll={isAll}
          filter={filter}
          total={total}
          loaded={rows.length}
          onSelectAll={() => setAll(true)}
          onClear={() => select(new Set())}
        />
      )}
    </>
  );
}

interface StageSelectProps {
  readonly filter: ContactFilter;
  readonly onChange: (filter: ContactFilter) => void;
}

function StageSelect({ filter, onChange }: StageSelectProps) {
  const { contacts } = useMessages();
  const { lifecycleStage, ...others } = filter;
  const options: readonly { readonly id: LifecycleStage | 'any'; readonly label: string }[] = [
    { id: 'any', label: contacts.anyStage },
    ...STAGES.map((id) => ({ id, label: contacts.stages[id] })),
  ];
  return (
    <Select
      label={contacts.stage}
      isLabelHidden
      options={options}
      value={lifecycleStage ?? 'any'}
      onChange={(id) => onChange(id === 'any' ? others : { ...others, lifecycleStage: id })}
    />
  );
}
