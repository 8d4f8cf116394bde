import { useState } from 'react';
import { useMessages } from '../i18n/messages.tsx';
import { InvitedDialog, type Invited } from '../settings/invite-dialog.tsx';
import { useAttempts } from '../shell/recent-sign-in.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { useInviteOwner } from './agency-queries.ts';

/** Makes a person an owner of the installation, and shows the link to send them. */
export function InviteOwnerDialog({ onClose }: { readonly onClose: () => void }) {
  const { agency, settings } = useMessages();
  const invite = useInviteOwner();
  const { attempt, dialog } = useAttempts();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [invited, setInvited] = useState<Invited>();
  if (invited) {
    return <InvitedDialog {...invited} onClose={onClose} />;
  }
  const submit = async () => {
    const given = { email: email.trim(), ...(name.trim() && { name: name.trim() }) };
    const { email: to, link = null } = await invite.mutateAsync(given);
    setInvited({ email: to, link });
  };
  return (
    <>
      <FormDialog
        title={agency.inviteOwner}
        submit={settings.invite}
        isOpen
        isPending={invite.isPending}
        onClose={onClose}
        onSubmit={() => attempt(submit)}
      >
        <p>{agency.inviteOwnerText}</p>
        <TextField
          label={settings.email}
          type="email"
          autoFocus
          isRequired
          value={email}
          onChange={setEmail}
        />
        <TextField label={settings.name} value={name} onChange={setName} />
      </FormDialog>
      {dialog}
    </>
  );
}
