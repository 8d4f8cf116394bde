import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Contact } from '../../../sdk/src/generated/contacts.ts';
import { clientOf } from '../api/client.ts';
import { useCanWrite, usePlace } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { CHANNEL_ICONS } from '../inbox/channels.ts';
import { usePipelines } from '../opportunities/opportunity-queries.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { useShowError } from '../ui/use-show-error.ts';
import { lazily } from '../ui/lazily.tsx';

const TaskDialog = lazily(async () => (await import('../tasks/task-dialog.tsx')).TaskDialog);
const DealDialog = lazily(
  async () => (await import('../opportunities/deal-dialog.tsx')).DealDialog,
);

/** Starts a message, a task or a deal for a contact. */
export function NewMenu({ contact }: { readonly contact: Contact }) {
  const { common, channels, contacts, tasks, opportunities } = useMessages();
  const { data: pipelines } = usePipelines();
  const write = useOpenConversation(contact);
  const [open, setOpen] = useState<'task' | 'deal'>();
  const close = () => setOpen(undefined);
  const pipeline = pipelines?.[0];
  const addresses = { email: contact.email, sms: contact.phone };
  if (!useCanWrite()) {
    return null;
  }
  return (
    <>
      <Menu
        label={common.newRecord}
        placement="bottom end"
        trigger={<Button icon="plus">{common.newRecord}</Button>}
      >
        {(['email', 'sms'] as const).map((channel) => (
          <MenuItem
            key={channel}
            icon={CHANNEL_ICONS[channel]}
            isDisabled={addresses[channel] === null}
            onAction={() => write(channel)}
          >
            {channels[channel]}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon="note" onAction={() => write('note')}>
          {contacts.newNote}
        </MenuItem>
        <MenuItem icon="tasks" onAction={() => setOpen('task')}>
          {tasks.newTask}
        </MenuItem>
        <MenuItem
          icon="opportunities"
          isDisabled={pipeline === undefined}
          onAction={() => setOpen('deal')}
        >
          {opportunities.newDeal}
        </MenuItem>
      </Menu>
      {open === 'task' && <TaskDialog contactId={contact.id} onClose={close} />}
      {open === 'deal' && pipeline && (
        <DealDialog pipeline={pipeline} contactId={contact.id} onClose={close} />
      )}
    </>
  );
}

/**
 * Returns the function that opens the conversation with a contact on a channel, and its thread. A note
 * is written in the last conversation; without one, on the first channel that the contact has.
 */
function useOpenConversation({ id: contactId, email, phone }: Contact) {
  const { subAccountId } = usePlace().membership;
  const queries = useQueryClient();
  const showError = useShowError();
  const [, navigate] = useLocation();
  const { conversations } = clientOf(subAccountId);
  const { mutate } = useMutation({
    async mutationFn(kind: 'email' | 'sms' | 'note') {
      if (kind !== 'note') {
        return conversations.create({ contactId, channel: kind });
      }
      const [last] = (await conversations.list({ contactId, limit: 1 })).data;
      const channel = email !== null ? 'email' : phone !== null ? 'sms' : 'live_chat';
      return last ?? conversations.create({ contactId, channel });
    },
    async onSuccess({ id }, kind) {
      await queries.invalidateQueries({ queryKey: [subAccountId, 'conversations'] });
      navigate(`/inbox/${id}`, { state: { isNote: kind === 'note' } });
    },
    onError: showError,
  });
  return mutate;
}
