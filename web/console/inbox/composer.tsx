import {
  useImperativeHandle,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
} from 'react';
import { TextArea } from 'react-aria-components/TextArea';
import { DropZone, type DropZoneProps } from 'react-aria-components/DropZone';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { Link } from 'wouter';
import { FrontdeskError } from '../../../sdk/src/error.ts';
import type { InboxConversation } from '../api/console-types.ts';
import { useContact } from '../contacts/contact-queries.ts';
import { useMessages } from '../i18n/messages.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { TextField } from '../ui/field.tsx';
import { useErrorText } from '../ui/states.tsx';
import { Note } from '../ui/note.tsx';
import { Switch } from '../ui/switch.tsx';
import { showToast } from '../ui/toast.tsx';
import { COMMAND_KEY } from '../ui/use-hotkeys.ts';
import { Keys } from '../ui/keys.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { useAttachments, type Attachments } from './attachments.ts';
import { isMail } from './channels.ts';
import { ComposerMenus } from './composer-menus.tsx';
import { useDraft } from './draft.ts';
import { useTyping } from './presence-queries.ts';
import { useSendMessage, type Outgoing } from './message-queries.ts';
import styles from './composer.module.css';

export interface ComposerHandle {
  /** Puts the cursor into the box, for a reply or for a note. */
  focus(isNote: boolean): void;
}

interface ComposerProps {
  readonly conversation: InboxConversation;
  readonly ref: Ref<ComposerHandle>;
}

/** The box for a reply or a note. What is written in it survives until it is sent. */
export function Composer({ conversation, ref }: ComposerProps) {
  const { thread, channels } = useMessages();
  const { id, channel } = conversation;
  const box = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(id, conversation.subject ?? '');
  const attachments = useAttachments();
  const { send, isBlocked, isSubjectMissing } = useCheckedSend(conversation, draft, attachments);
  const noteTyping = useTyping(id);
  useImperativeHandle(ref, () => ({
    focus(isNote) {
      draft.setNote(isNote);
      box.current?.focus();
    },
  }));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') {
      box.current?.blur();
    }
  };
  return (
    <DropZone
      aria-label={thread.dropFiles}
      getDropOperation={(types) => (ARE_TEXTS.some((type) => types.has(type)) ? 'cancel' : 'copy')}
      onDrop={({ items }) => void filesOfDrop(items).then(attachments.add)}
      className={cx(styles.composer, draft.isNote && styles.note)}
    >
      <Warnings conversation={conversation} isBlocked={isBlocked} isNote={draft.isNote} />
      {isMail(channel) && !draft.isNote && <Subject draft={draft} isMissing={isSubjectMissing} />}
      <AriaTextField
        aria-label={thread.reply}
        value={draft.text}
        onChange={(text) => {
          draft.setText(text);
          noteTyping(draft.isNote);
        }}
        className={cx(styles.field)}
      >
        <TextArea
          ref={box}
          rows={2}
          placeholder={draft.isNote ? thread.noteHint : thread.replyHint(channels[channel])}
          onKeyDown={onKeyDown}
          onPaste={(event) => takePasted(event, attachments)}
          className={cx(styles.box)}
        />
      </AriaTextField>
      <AttachmentList attachments={attachments} />
      <ComposerBar
        draft={draft}
        attachments={attachments}
        onInsert={(text) => insert(box.current, text, draft.setText)}
        onSend={send}
        isBlocked={isBlocked}
      />
    </DropZone>
  );
}

function Subject({ draft, isMissing }: { readonly draft: Draft; readonly isMissing: boolean }) {
  const { thread } = useMessages();
  return (
    <TextField
      label={thread.subject}
      value={draft.subject}
      onChange={draft.setSubject}
      error={isMissing ? thread.subjectMissing : undefined}
    />
  );
}

/** Sends what can be sent: a mail needs a subject, and the contact must accept messages. */
function useCheckedSend(conversation: InboxConversation, draft: Draft, attachments: Attachments) {
  const [wasSubjectMissing, setSubjectMissing] = useState(false);
  const sendNow = useSend(conversation, draft, attachments);
  const isBlocked = useIsBlocked(conversation) && !draft.isNote;
  const lacksSubject =
    conversation.channel === 'email' && !draft.isNote && draft.subject.trim() === '';
  const send = () => {
    setSubjectMissing(lacksSubject);
    if (!lacksSubject && !isBlocked) {
      sendNow();
    }
  };
  return { send, isBlocked, isSubjectMissing: wasSubjectMissing && lacksSubject };
}

interface ComposerBarProps {
  readonly draft: Draft;
  readonly attachments: Attachments;
  readonly onInsert: (text: string) => void;
  readonly onSend: () => void;
  readonly isBlocked: boolean;
}

/** The switch for notes, and the buttons. */
function ComposerBar({ draft, attachments, onInsert, onSend, isBlocked }: ComposerBarProps) {
  const { thread } = useMessages();
  return (
    <div className={styles.bar}>
      <Switch isSelected={draft.isNote} onChange={draft.setNote}>
        {thread.internalNote}
      </Switch>
      <FileTrigger allowsMultiple onSelect={(files) => files && attachments.add(files)}>
        <IconButton icon="clip" label={thread.attach} isSmall />
      </FileTrigger>
      <ComposerMenus onInsert={onInsert} />
      <span className={styles.send}>
        <span className={styles.keys}>
          <Keys keys={`${COMMAND_KEY} ⏎`} />
        </span>
        <Button
          look="primary"
          icon={draft.isNote ? 'note' : 'send'}
          onPress={onSend}
          isDisabled={isBlocked || !canSend(draft, attachments)}
        >
          {thread.send}
        </Button>
      </span>
    </div>
  );
}

type Draft = ReturnType<typeof useDraft>;

/** Whether the contact is not to be written to on the channel of the conversation. */
function useIsBlocked({ contactId, channel }: InboxConversation): boolean {
  const dnd: Readonly<Record<string, boolean | undefined>> = useContact(contactId).data?.dnd ?? {};
  return dnd['all'] === true || dnd[channel] === true;
}

interface WarningsProps {
  readonly conversation: InboxConversation;
  readonly isBlocked: boolean;
  readonly isNote: boolean;
}

/** What to know before writing a reply. */
function Warnings({ conversation, isBlocked, isNote }: WarningsProps) {
  const { thread } = useMessages();
  return (
    <>
      {isBlocked && <Blocked contactId={conversation.contactId} />}
      {conversation.visitorVerified === false && !isNote && (
        <p className={styles.hint}>{thread.unverifiedHint}</p>
      )}
    </>
  );
}

/** Says so before something is written, and leads to where it is changed. */
function Blocked({ contactId }: { readonly contactId: string }) {
  const { thread } = useMessages();
  return (
    <Note title={thread.blocked}>
      <Link href={`/contacts/${contactId}?tab=consent`}>{thread.seeConsent}</Link>
    </Note>
  );
}

/** Returns the function that sends the draft. A draft that is refused comes back into the box. */
function useSend(
  { id, channel }: InboxConversation,
  draft: Draft,
  attachments: Attachments,
): () => void {
  const { thread } = useMessages();
  const describe = useErrorText();
  const { mutate } = useSendMessage(id);
  const [isSending, setSending] = useState(false);
  return () => {
    const bodyText = draft.text.trim();
    if (!canSend(draft, attachments) || isSending) {
      return;
    }
    const { isNote, subject, text } = draft;
    const hasSubject = isMail(channel) && !isNote && subject.trim() !== '';
    const body: Outgoing = {
      bodyText,
      channel,
      isInternal: isNote,
      ...(hasSubject && { subject: subject.trim() }),
    };
    const files = attachments.take();
    setSending(true);
    draft.setText('');
    const restore = () => {
      draft.setText(text);
      attachments.putBack(files);
    };
    const message = { body: withIds(body, files), files };
    mutate(message, {
      onSuccess(result) {
        if ('skipped' in result) {
          restore();
          showToast({ text: thread.skipped, isError: true });
        }
      },
      onError(error) {
        restore();
        const { title, detail } = describe(error);
        const [issue] = error instanceof FrontdeskError ? error.issues : [];
        showToast({ text: title, detail: issue?.path ? issue.message : detail, isError: true });
      },
      onSettled: () => setSending(false),
    });
  };
}

const canSend = ({ text }: Draft, { isBusy, ready }: Attachments): boolean =>
  !isBusy && (text.trim() !== '' || ready.length > 0);

const withIds = (body: Outgoing, files: readonly { readonly id: string }[]): Outgoing =>
  files.length > 0 ? { ...body, attachmentIds: files.map(({ id }) => id) } : body;

/** Pasted files are attached; pasted texts go into the text box. */
function takePasted(event: ClipboardEvent, { add }: Attachments): void {
  if (event.clipboardData.files.length > 0) {
    event.preventDefault();
    add(event.clipboardData.files);
  }
}

/** Dragged texts go into the text box. */
const ARE_TEXTS = ['text/plain', 'text/uri-list', 'text/html'];

type DropItems = Parameters<NonNullable<DropZoneProps['onDrop']>>[0]['items'];

async function filesOfDrop(items: DropItems): Promise<File[]> {
  const files = items.flatMap((item) => (item.kind === 'file' ? [item.getFile()] : []));
  return Promise.all(files);
}

/** Inserts a text where the cursor is. */
function insert(
  box: HTMLTextAreaElement | null,
  text: string,
  setText: (text: string) => void,
): void {
  if (box === null) {
    return;
  }
  box.focus();
  box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
  setText(box.value);
}
