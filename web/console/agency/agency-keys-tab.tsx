import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { BROWSER_ZONE } from '../i18n/zone.ts';
import { CopyKeyDialog } from '../settings/copy-key-dialog.tsx';
import { NewKeyDialog } from '../settings/new-key-dialog.tsx';
import settingsStyles from '../settings/settings.module.css';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAllKeys, useCreateAgencyKey, useRevokeAnyKey, type AnyKey } from './agency-queries.ts';

/** The keys of the agency and of all sub-accounts. */
export function AgencyKeysTab() {
  const { agency, settings } = useMessages();
  const query = useAllKeys();
  const { data } = query;
  const create = useCreateAgencyKey();
  const revoke = useRevokeAnyKey();
  const { attempt, dialog } = useAttempts();
  const [isCreating, setCreating] = useState(false);
  const [value, setValue] = useState<string>();
  const [asked, setAsked] = useState<AnyKey>();
  const revokeKey = async (key: AnyKey) => {
    await revoke.mutateAsync(key);
    showToast({ text: settings.revoked, detail: key.name });
  };
  return (
    <>
      <div className={settingsStyles.bar}>
        <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
          {agency.createAgencyKey}
        </Button>
      </div>
      <LoadState query={query} />
      {data && <AllKeysTable rows={data} onRevoke={setAsked} />}
      {isCreating && (
        <NewKeyDialog
          create={create}
          onClose={() => setCreating(false)}
          onCreated={setValue}
          canBeSandbox
        />
      )}
      {asked && (
        <ConfirmDialog
          title={settings.revokeTitle(asked.name)}
          text={settings.revokeText}
          confirm={settings.revoke}
          isDangerous
          onClose={() => setAsked(undefined)}
          onConfirm={() => attempt(() => revokeKey(asked))}
        />
      )}
      {value !== undefined && <CopyKeyDialog value={value} onClose={() => setValue(undefined)} />}
      {dialog}
    </>
  );
}

interface AllKeysTableProps {
  readonly rows: readonly AnyKey[];
  readonly onRevoke: (key: AnyKey) => void;
}

const TONES = { active: 'good', expired: 'warn', revoked: 'neutral' } as const;

function AllKeysTable({ rows, onRevoke }: AllKeysTableProps) {
  const { agency, settings } = useMessages();
  const format = useFormat(BROWSER_ZONE);
  const { memberships } = usePlace().session;
  const nameOf = (id: string | null) =>
    id === null
      ? agency.title
      : (memberships.find(({ subAccountId }) => subAccountId === id)?.subAccountName ?? id);
  const columns: readonly TableColumn<AnyKey>[] = [
    { id: 'name', title: settings.name, cell: ({ name }) => name },
    { id: 'place', title: agency.belongsTo, cell: ({ subAccountId }) => nameOf(subAccountId) },
    { id: 'prefix', title: settings.prefix, cell: ({ prefix }) => prefix, isSecondary: true },
    {
      id: 'state',
      title: settings.state,
      width: '7rem',
      cell: ({ state }) => <Badge tone={TONES[state]}>{settings.states[state]}</Badge>,
    },
    {
      id: 'used',
      title: settings.lastUsed,
      width: '9rem',
      isSecondary: true,
      cell: ({ lastUsedAt }) => (lastUsedAt ? format.day(lastUsedAt) : settings.never),
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      width: '8rem',
      cell: (key) =>
        key.state !== 'revoked' && (
          <Button isSmall aria-label={settings.revokeTitle(key.name)} onPress={() => onRevoke(key)}>
            {settings.revoke}
          </Button>
        ),
    },
  ];
  const empty = <EmptyState icon="key" title={settings.noKeys} />;
  return <Table label={settings.keys} columns={columns} rows={rows} empty={empty} />;
}
