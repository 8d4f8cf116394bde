import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { useMessages } from '../i18n/messages.tsx';
import { usePlace } from '../api/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { openSubAccount } from './sub-account-path.ts';
import styles from './shell.module.css';
import { lazily } from '../ui/lazily.tsx';

/** Loaded when it is opened: few users create sub-accounts. */
const NewSubAccountDialog = lazily(
  async () => (await import('../agency/new-sub-account-dialog.tsx')).NewSubAccountDialog,
);

/** A button with the sub-account's name, which opens the list of the others. */
export function SubAccountSwitch() {
  const { agency, shell } = useMessages();
  const { session, membership } = usePlace();
  const options = session.memberships.map(({ subAccountId, subAccountName, sandbox }) => ({
    id: subAccountId,
    label: subAccountName,
    ...(sandbox && { hint: shell.sandbox }),
  }));
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Menu
        label={shell.switchSubAccount}
        trigger={
          <Button className={cx(styles.switch)}>
            <Avatar name={membership.subAccountName} isSmall />
            <span className={styles.place}>
              <span className={styles.switchName}>{membership.subAccountName}</span>{' '}
              {membership.sandbox && <span className={styles.sandbox}>{shell.sandbox}</span>}
            </span>
            <Icon name="chevronUpDown" size={14} />
          </Button>
        }
      >
        <MenuChoice
          title={shell.switchSubAccount}
          value={membership.subAccountId}
          options={options}
          onChoose={openSubAccount}
        />
        {session.isOwner && (
          <>
            <MenuSeparator />
            <MenuItem icon="plus" onAction={() => setCreating(true)}>
              {agency.newSubAccount}
            </MenuItem>
          </>
        )}
      </Menu>
      {isCreating && <NewSubAccountDialog onClose={() => setCreating(false)} />}
    </>
  );
}
