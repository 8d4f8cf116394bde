import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { Button } from '../ui/button.tsx';
import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { useMailHint } from './link-dialogs.tsx';
import { ownerMessages } from './owner-messages.ts';
import { MEMBER_ROLES, useInvite, type MemberRole } from './settings-queries.ts';
import styles from './settings.module.css';

export interface Invited {
  readonly email: string;
  readonly link: string | null;
}

/** Invites a person, and shows the link to send them. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { settings } = useMessages();
  const { subAccountName } = usePlace().membership;
  const invite = useInvite();
  const { attempt, dialog } = useAttempts();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<MemberRole>('agent');
  const [invited, setInvited] = useState<Invited>();
  if (invited) {
    return <InvitedDialog {...invited} isMailed onClose={onClose} />;
  }
  const submit = async () => {
    const given = { email: email.trim(), role, ...(name.trim() && { name: name.trim() }) };
    const { email: to, link = null } = await invite.mutateAsync(given);
    setInvited({ email: to, link });
  };
  return (
    <>
      <FormDialog
        title={settings.inviteTitle(subAccountName)}
        submit={settings.invite}
        isOpen
        isPending={invite.isPending}
        onClose={onClose}
        onSubmit={() => attempt(submit)}
      >
        <TextField
          label={settings.email}
          type="email"
          autoFocus
          isRequired
          value={email}
          onChange={setEmail}
        />
        <TextField label={settings.name} value={name} onChange={setName} />
        <Select
          label={settings.role}
          value={role}
          options={MEMBER_ROLES.map((id) => ({ id, label: settings.roles[id] }))}
          onChange={setRole}
        />
        <p className={styles.hint}>{ownerMessages().roles[role]}</p>
      </FormDialog>
      {dialog}
    </>
  );
}

interface InvitedDialogProps extends Invited {
  /** Whether the server mails a link, too, where mail is set up. */
  readonly isMailed?: boolean;
  readonly onClose: () => void;
}

/** Shows the link of an invitation. */
export function InvitedDialog({ email, link, isMailed = false, onClose }: InvitedDialogProps) {
  const { settings } = useMessages();
  const mailHint = useMailHint(isMailed);
  return (
    <Dialog
      title={settings.invited}
      isOpen
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {settings.done}
        </Button>
      }
    >
      <p className={styles.text}>
        {link === null ? settings.noLink : `${settings.invitedText(email)} ${mailHint}`}
      </p>
      {link !== null && <CopyField label={settings.link} value={link} />}
    </Dialog>
  );
}
