import { useState } from 'react';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { BROWSER_ZONE } from '../i18n/zone.ts';
import { ownerMessages } from '../settings/owner-messages.ts';
import settingsStyles from '../settings/settings.module.css';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { openSubAccount } from '../shell/sub-account-path.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { LoadState } from '../ui/not-loaded.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Table, type TableColumn } from '../ui/table.tsx';
import { showToast } from '../ui/toast.tsx';
import { useCloseSubAccount, useSubAccounts, type SubAccount } from './agency-queries.ts';
import { NewSubAccountDialog } from './new-sub-account-dialog.tsx';

interface Action {
  readonly action: 'move' | 'close';
  readonly subAccount: SubAccount;
}

/** The sub-accounts of the installation. */
export function SubAccountsTab() {
  const { agency } = useMessages();
  const query = useSubAccounts();
  const { data } = query;
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<Action>();
  const { attempt, dialog } = useAttempts();
  const done = () => setAsked(undefined);
  return (
    <>
      <div className={settingsStyles.bar}>
        <Button look="primary" icon="plus" onPress={() => setCreating(true)}>
          {agency.newSubAccount}
        </Button>
      </div>
      <LoadState query={query} />
      {data && <SubAccountTable rows={data} onAsk={setAsked} />}
      {isCreating && <NewSubAccountDialog onClose={() => setCreating(false)} />}
      {asked?.action === 'move' && <MoveDialog subAccount={asked.subAccount} onClose={done} />}
      {asked?.action === 'close' && (
        <CloseDialog subAccount={asked.subAccount} onClose={done} attempt={attempt} />
      )}
      {dialog}
    </>
  );
}

interface SubAccountTableProps {
  readonly rows: readonly SubAccount[];
  readonly onAsk: (asked: Action) => void;
}

function SubAccountTable({ rows, onAsk }: SubAccountTableProps) {
  const { agency, contacts, settings, shell } = useMessages();
  const format = useFormat(BROWSER_ZONE);
  const columns: readonly TableColumn<SubAccount>[] = [
    {
      id: 'name',
      title: settings.name,
      cell: ({ id, name, sandbox }) => (
        <>
          <Button look="ghost" isSmall onPress={() => openSubAccount(id)}>
            {name}
          </Button>{' '}
          {sandbox && <Badge tone="accent">{shell.sandbox}</Badge>}
        </>
      ),
    },
    { id: 'timezone', title: agency.timezone, cell: ({ timezone }) => timezone, isSecondary: true },
    {
      id: 'currency',
      title: agency.currency,
      cell: ({ currency }) => currency,
      isSecondary: true,
      width: '7rem',
    },
    {
      id: 'created',
      title: contacts.created,
      cell: ({ createdAt }) => format.day(createdAt),
      isSecondary: true,
      width: '9rem',
    },
    {
      id: 'actions',
      title: settings.actionsTitle,
      width: '6rem',
      cell: (row) => <SubAccountMenu subAccount={row} onAsk={onAsk} />,
    },
  ];
  const empty = <EmptyState icon="inbox" title={agency.noSubAccounts} />;
  return <Table label={agency.subAccounts} columns={columns} rows={rows} empty={empty} />;
}

interface SubAccountMenuProps extends Pick<SubAccountTableProps, 'onAsk'> {
  readonly subAccount: SubAccount;
}

function SubAccountMenu({ subAccount, onAsk }: SubAccountMenuProps) {
  const { agency, settings } = useMessages();
  const label = settings.actions(subAccount.name);
  return (
    <Menu
      label={label}
      placement="bottom end"
      trigger={<IconButton icon="more" label={label} isSmall />}
    >
      <MenuItem icon="inbox" onAction={() => openSubAccount(subAccount.id)}>
        {agency.open}
      </MenuItem>
      <MenuItem icon="chevronRight" onAction={() => onAsk({ action: 'move', subAccount })}>
        {agency.move}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="close" isDangerous onAction={() => onAsk({ action: 'close', subAccount })}>
        {agency.close}
      </MenuItem>
    </Menu>
  );
}

interface SubAccountDialogProps {
  readonly subAccount: SubAccount;
  readonly onClose: () => void;
}

/** A move writes and reads files of both servers: it is made in a shell, with these commands. */
function MoveDialog({ subAccount: { id, name }, onClose }: SubAccountDialogProps) {
  const { agency, settings } = useMessages();
  const file = `${id}.frontdesk`;
  const actions = (
    <Button look="primary" onPress={onClose}>
      {settings.done}
    </Button>
  );
  return (
    <Dialog title={agency.moveTitle(name)} isOpen isWide onClose={onClose} actions={actions}>
      <p>{agency.moveText}</p>
      <CopyField
        label={agency.moveExport}
        value={`frontdesk admin sub-account export ${id} ${file}`}
      />
      <CopyField
        label={agency.moveImport}
        value={`frontdesk admin sub-account import ${file} --hold`}
      />
      <p>{agency.moveAfter}</p>
    </Dialog>
  );
}

interface CloseDialogProps extends SubAccountDialogProps {
  readonly attempt: (make: () => Promise<unknown>) => void;
}

/** Asks for the name of the sub-account. */
function CloseDialog({ subAccount: { id, name }, onClose, attempt }: CloseDialogProps) {
  const { agency } = useMessages();
  const texts = ownerMessages().subAccounts;
  const close = useCloseSubAccount();
  const [typed, setTyped] = useState('');
  const submit = async () => {
    await close.mutateAsync({ id, name: typed });
    showToast({ text: agency.closed, detail: name });
    onClose();
  };
  return (
    <FormDialog
      title={agency.closeTitle(name)}
      submit={agency.close}
      isOpen
      isWide
      isDangerous
      isDisabled={typed.trim() !== name.trim()}
      isPending={close.isPending}
      onClose={onClose}
      onSubmit={() => attempt(submit)}
    >
      <ul className={settingsStyles.effects}>
        {texts.closeEffects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <TextField
        label={agency.closeName(name)}
        autoFocus
        isRequired
        value={typed}
        onChange={setTyped}
        {...(typed !== '' && typed.trim() !== name.trim() && { description: texts.nameDiffers })}
      />
    </FormDialog>
  );
}
