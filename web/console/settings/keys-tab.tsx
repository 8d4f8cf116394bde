import { useState } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { CopyKeyDialog } from './copy-key-dialog.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import {
  useCreateKey,
  useKeys,
  useRevokeKey,
  useRotateKey,
  type ApiKey,
} from './settings-queries.ts';
import styles from './settings.module.css';

type KeyAction = { readonly action: 'edit' | 'rotate' | 'revoke'; readonly key: ApiKey };
type KeyQuestion = KeyAction & { readonly action: 'rotate' | 'revoke' };

const isQuestion = (asked: KeyAction | undefined): asked is KeyQuestion =>
  asked !== undefined && asked.action !== 'edit';

/** The API keys of the sub-account. */
export function KeysTab() {
  const { settings } = useMessages();
  const query = useKeys();
  const { data: keys } = query;
  const create = useCreateKey();
  const [isCreating, setCreating] = useState(false);
  const [value, setValue] = useState<string>();
  const [asked, setAsked] = useState<KeyAction>();
  return (
    <>
      <div className={styles.bar}>
        <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
          {settings.createKey}
        </Button>
      </div>
      <LoadState query={query} />
      {keys && <KeyTable keys={keys} onAsk={setAsked} />}
      {isCreating && (
        <NewKeyDialog create={create} onClose={() => setCreating(false)} onCreated={setValue} />
      )}
      {asked?.action === 'edit' && (
        <EditKeyDialog apiKey={asked.key} onClose={() => setAsked(undefined)} />
      )}
      <Confirmation
        asked={isQuestion(asked) ? asked : undefined}
        onClose={() => setAsked(undefined)}
        onValue={setValue}
      />
      {value !== undefined && <CopyKeyDialog value={value} onClose={() => setValue(undefined)} />}
    </>
  );
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onAsk: (asked: KeyAction) => void;
}

function KeyTable({ keys, onAsk }: KeyTableProps) {
  const { settings } = useMessages();
  const format = useFormat();
  const date = (at: string | null) => (at === null ? settings.never : format.day(at));
  const tones = { active: 'good', expired: 'warn', revoked: 'neutral' } as const;
  const columns: readonly TableColumn<ApiKey>[] = [
    { id: 'name', title: settings.name, cell: (key) => <KeyName apiKey={key} /> },
    { id: 'prefix', title: settings.prefix, cell: ({ prefix }) => prefix, isSecondary: true },
    {
      id: 'scopes',
      title: settings.scopes,
      cell: ({ scopes }) => <span title={scopes.join('\n')}>{scopes.join(', ')}</span>,
      isSecondary: true,
    },
    {
      id: 'state',
      title: settings.state,
      cell: ({ state }) => <Badge tone={tones[state]}>{settings.states[state]}</Badge>,
      width: '7rem',
    },
    {
      id: 'used',
      title: settings.lastUsed,
      cell: ({ lastUsedAt }) => date(lastUsedAt),
      isSecondary: true,
      width: '9rem',
    },
    {
      id: 'expires',
      title: settings.expires,
      cell: ({ expiresAt }) => date(expiresAt),
      isSecondary: true,
      width: '9rem',
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      width: '6rem',
      cell: (key) => key.state !== 'revoked' && <KeyMenu apiKey={key} onAsk={onAsk} />,
    },
  ];
  const empty = (
    <EmptyState icon="key" title={settings.noKeys}>
      {settings.noKeysText}
    </EmptyState>
  );
  return <Table label={settings.keys} columns={columns} rows={keys} empty={empty} />;
}

/** A program's name is its own claim: the host says whose it is. */
function KeyName({ apiKey: { name, clientId, grantedBy } }: { readonly apiKey: ApiKey }) {
  const { settings } = useMessages();
  const host = clientId === null ? undefined : URL.parse(clientId)?.host;
  return host === undefined ? (
    name
  ) : (
    <span title={settings.grantedBy(grantedBy ?? '')}>
      {name} <Badge tone="accent">{host}</Badge>
    </span>
  );
}

interface KeyMenuProps extends Pick<KeyTableProps, 'onAsk'> {
  readonly apiKey: ApiKey;
}

function KeyMenu({ apiKey, onAsk }: KeyMenuProps) {
  const { settings } = useMessages();
  const label = settings.actions(apiKey.name);
  return (
    <Menu
      label={label}
      placement="bottom end"
      trigger={<IconButton icon="more" label={label} isSmall />}
    >
      {apiKey.clientId === null && (
        <MenuItem icon="edit" onAction={() => onAsk({ action: 'edit', key: apiKey })}>
          {settings.edit}
        </MenuItem>
      )}
      {apiKey.clientId === null && (
        <MenuItem icon="retry" onAction={() => onAsk({ action: 'rotate', key: apiKey })}>
          {settings.rotate}
        </MenuItem>
      )}
      <MenuItem icon="close" isDangerous onAction={() => onAsk({ action: 'revoke', key: apiKey })}>
        {settings.revoke}
      </MenuItem>
    </Menu>
  );
}

interface ConfirmationProps {
  readonly asked: KeyQuestion | undefined;
  readonly onClose: () => void;
  readonly onValue: (value: string | undefined) => void;
}

/** Asks before a key is rotated or revoked. */
function Confirmation({ asked, onClose, onValue }: ConfirmationProps) {
  const { settings } = useMessages();
  const rotate = useRotateKey();
  const revoke = useRevokeKey();
  const { attempt, dialog } = useAttempts();
  const change = async ({ action, key }: KeyQuestion) => {
    if (action === 'rotate') {
      onValue((await rotate.mutateAsync(key.id)).key);
    } else {
      await revoke.mutateAsync(key.id);
      showToast({ text: settings.revoked, detail: key.name });
    }
  };
  return (
    <>
      {asked && (
        <ConfirmDialog
          title={settings[`${asked.action}Title`](asked.key.name)}
          text={settings[`${asked.action}Text`]}
          confirm={settings[asked.action]}
          isDangerous={asked.action === 'revoke'}
          onClose={onClose}
          onConfirm={() => attempt(() => change(asked))}
        />
      )}
      {dialog}
    </>
  );
}
