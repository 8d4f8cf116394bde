import { useState } from 'react';
import { usePlace } from '../api/session.ts';
import { useCanWrite } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';
import { useMessages } from '../i18n/messages.tsx';
import { usePictures } from '../shell/picture-queries.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icons.tsx';
import { useErrorText } from '../ui/states.tsx';
import { showToast } from '../ui/toast.tsx';
import { WhyButton } from '../why/why-button.tsx';
import { useResendMessage, type ThreadMessage } from './message-queries.ts';
import { MessageFiles } from './message-files.tsx';
import { MessageText } from './message-text.tsx';
import styles from './message.module.css';
import { lazily } from '../ui/lazily.tsx';

const MailFrame = lazily(async () => (await import('./mail-frame.tsx')).MailFrame);

interface MessageItemProps {
  readonly message: ThreadMessage;
  /** The subject of a mail, where it changes. */
  readonly subject: string | undefined;
  readonly contactName: string;
  /** Whether the message before is from the same side and shortly before. */
  readonly isFollowing: boolean;
}

/** A message or a note, with its time and what became of it. */
export function MessageItem({ message, subject, contactName, isFollowing }: MessageItemProps) {
  const { thread, common } = useMessages();
  const format = useFormat();
  const [isHtml, setHtml] = useState(false);
  const { isInternal, direction, createdAt, bodyHtml } = message;
  const isOwn = direction === 'outbound';
  const author = useAuthorName(message);
  const hasText = (message.bodyText ?? '') !== '' || message.attachments.length === 0 || isHtml;
  const hasBubble = hasText || subject !== undefined;
  const side = isInternal ? styles.note : isOwn ? styles.own : styles.other;
  return (
    <li
      className={cx(styles.message, side, isFollowing && styles.following, isHtml && styles.wide)}
    >
      {!isFollowing && (
        <p className={styles.sender}>
          {isOwn && <AuthorPicture message={message} name={author} />}
          <span>{isOwn ? author : contactName || common.unnamed}</span>
          {isInternal && <Badge tone="warn">{thread.internal}</Badge>}
        </p>
      )}
      <MessageFiles files={message.attachments} />
      {hasBubble && (
        <div className={styles.bubble}>
          {subject !== undefined && (
            <p className={styles.subject} dir="auto">
              {subject}
            </p>
          )}
          {isHtml && bodyHtml !== null ? (
            <MailFrame
              html={bodyHtml}
              path={`/conversations/${message.conversationId}/messages/${message.id}`}
            />
          ) : (
            <MessageText text={message.bodyText ?? ''} />
          )}
        </div>
      )}
      <p className={styles.foot}>
        <time dateTime={createdAt} title={format.dayAndTime(createdAt)}>
          {format.time(createdAt)}
        </time>
        {isOwn && !isInternal && <Receipt message={message} />}
        {bodyHtml !== null && (
          <Button look="ghost" isSmall onPress={() => setHtml(!isHtml)}>
            {isHtml ? thread.showText : thread.showMail}
          </Button>
        )}
      </p>
      {isOwn && <Failure message={message} />}
    </li>
  );
}

/** Returns who of the team wrote a message; callers of the API and workflows are the team as a whole. */
function useAuthorName({ authorId, authorName }: ThreadMessage): string {
  const { inbox } = useMessages();
  const { user } = usePlace().session;
  if (authorId === null) {
    return inbox.team;
  }
  return authorId === user.id ? inbox.you : (authorName ?? inbox.team);
}

/** The author's picture, if there is one. */
function AuthorPicture(props: { readonly message: ThreadMessage; readonly name: string }) {
  const { message, name } = props;
  const picture = usePictures().get(message.authorId ?? '');
  return picture === undefined ? null : <Avatar name={name} picture={picture} isSmall />;
}

function Receipt({ message: { status, isPending } }: { readonly message: ThreadMessage }) {
  const { thread } = useMessages();
  if (status === 'failed' || status === 'bounced') {
    return null;
  }
  const text = isPending || status === 'pending' ? thread.sending : thread[status];
  const icon = status === 'pending' ? 'clock' : status === 'sent' ? 'check' : 'checks';
  return (
    <span className={cx(styles.receipt, status === 'read' && styles.read)}>
      <Icon name={icon} size={13} />
      {text}
    </span>
  );
}

/** Why a message did not arrive, and a button that sends it again. */
function Failure({ message }: { readonly message: ThreadMessage }) {
  const { thread } = useMessages();
  const canWrite = useCanWrite();
  const again = useResendMessage(message);
  const describe = useErrorText();
  if (message.status !== 'failed' && message.status !== 'bounced') {
    return null;
  }
  const reason = message.errorMessage ?? message.errorCode;
  return (
    <div className={styles.failure}>
      <Icon name="warning" size={14} />
      <span>
        {thread.failed}
        {reason === null ? '' : `: ${reason}`}
      </span>
      {canWrite && (
        <Button
          isSmall
          isPending={again.isPending}
          onPress={() =>
            again.mutate(undefined, {
              onSuccess: (result) =>
                'skipped' in result && showToast({ text: thread.skipped, isError: true }),
              onError(error) {
                const { title, detail } = describe(error);
                showToast({ text: title, detail, isError: true });
              },
            })
          }
        >
          {thread.sendAgain}
        </Button>
      )}
      <WhyButton query={{ kind: 'message', id: message.id }} />
    </div>
  );
}
