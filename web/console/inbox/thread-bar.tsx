import { useState } from 'react';
import type { InboxConversation } from '../api/console-types.ts';
import { useCanWrite } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { AssignMenu } from './assign-menu.tsx';
import { SnoozeMenu } from './snooze-menu.tsx';
import type { ThreadActions } from './thread-actions.ts';
import styles from './thread.module.css';

interface ThreadBarProps {
  readonly conversation: InboxConversation;
  readonly actions: ThreadActions;
  /** The menu that a key has opened. */
  readonly open: 'assign' | 'snooze' | null;
  readonly onOpen: (menu: 'assign' | 'snooze' | null) => void;
  readonly onBack: () => void;
  readonly onPanel: () => void;
  readonly isPanelOpen: boolean;
}

/** The contact's name, the state of the conversation, and what can be done with it. */
export function ThreadBar({ conversation, actions, open, onOpen, ...bar }: ThreadBarProps) {
  const { thread, common } = useMessages();
  const canWrite = useCanWrite();
  const { status } = conversation;
  return (
    <header className={styles.bar}>
      <div className={styles.back}>
        <IconButton icon="back" label={common.back} onPress={bar.onBack} />
      </div>
      <div className={styles.who}>
        <h1 id="thread-title" className={styles.title}>
          {conversation.contact.name || common.unnamed}
        </h1>
        <ThreadState conversation={conversation} />
      </div>
      {canWrite && (
        <div className={styles.actions}>
          <AssignMenu
            conversation={conversation}
            onAssign={actions.assign}
            isOpen={open === 'assign'}
            onOpenChange={(isOpen) => onOpen(isOpen ? 'assign' : null)}
          />
          <SnoozeMenu
            onSnooze={actions.snooze}
            isOpen={open === 'snooze'}
            onOpenChange={(isOpen) => onOpen(isOpen ? 'snooze' : null)}
          />
          {status !== 'open' && <Button onPress={actions.reopen}>{thread.reopen}</Button>}
          {status !== 'closed' && (
            <Button icon="check" onPress={actions.close}>
              {thread.close}
            </Button>
          )}
        </div>
      )}
      <div className={styles.tools}>
        {canWrite && <MoreMenu conversation={conversation} actions={actions} />}
        <div className={styles.panelButton}>
          <IconButton
            icon="panel"
            label={thread.details}
            aria-expanded={bar.isPanelOpen}
            onPress={bar.onPanel}
          />
        </div>
      </div>
    </header>
  );
}

function ThreadState({ conversation }: { readonly conversation: InboxConversation }) {
  const { channels, thread, inbox } = useMessages();
  const format = useFormat();
  const { status, snoozedUntil, subject, channel, isArchived } = conversation;
  return (
    <span className={styles.state}>
      <span className={styles.subject}>{subject ?? channels[channel]}</span>
      {conversation.visitorVerified === false && <Badge tone="warn">{thread.unverified}</Badge>}
      {status === 'closed' && <Badge>{inbox.viewClosed}</Badge>}
      {isArchived && <Badge>{inbox.viewArchived}</Badge>}
      {status === 'snoozed' && (
        <Badge tone="accent">
          {snoozedUntil ? thread.snoozedUntil(format.dayAndTime(snoozedUntil)) : inbox.viewSnoozed}
        </Badge>
      )}
    </span>
  );
}

interface MoreMenuProps {
  readonly conversation: InboxConversation;
  readonly actions: ThreadActions;
}

function MoreMenu({ conversation, actions }: MoreMenuProps) {
  const { thread } = useMessages();
  const [isOpen, setOpen] = useState(false);
  const { isArchived } = conversation;
  return (
    <Menu
      label={thread.more}
      placement="bottom end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={<IconButton icon="more" label={thread.more} />}
    >
      <MenuItem icon="unread" shortcut="U" onAction={actions.markUnread}>
        {thread.markUnread}
      </MenuItem>
      <MenuItem icon="archive" onAction={() => actions.setArchived(!isArchived)}>
        {isArchived ? thread.unarchive : thread.archive}
      </MenuItem>
    </Menu>
  );
}
