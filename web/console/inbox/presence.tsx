import { useMessages } from '../i18n/messages.tsx';
import { usePresence } from './presence-queries.ts';
import styles from './thread.module.css';

/** Names the others in the conversation, and those who type. The line keeps its place when it is empty. */
export function Presence({ conversationId }: { readonly conversationId: string }) {
  const { thread } = useMessages();
  const others = usePresence(conversationId);
  const namesOf = (isTyping: boolean) =>
    others
      .filter((one) => one.isTyping === isTyping && (isTyping || one.participant !== 'visitor'))
      .map(({ name }) => name)
      .join(', ');
  const typing = namesOf(true);
  const viewing = namesOf(false);
  return (
    <p role="status" className={styles.presence}>
      {[typing && thread.typing(typing), viewing && thread.viewing(viewing)]
        .filter(Boolean)
        .join(' · ')}
    </p>
  );
}
