import type { ComponentProps } from 'react';
import { lazily } from '../ui/lazily.tsx';
import { NotLoaded } from '../ui/not-loaded.tsx';
import { useConversation } from './conversation-queries.ts';
import styles from './thread.module.css';

/** It brings drag and drop, which the first screen does not need; it is loaded right after that. */
const loadThread = async () => (await import('./open-thread.tsx')).OpenThread;
void loadThread().catch(() => undefined);
const OpenThread = lazily(loadThread, <section className={styles.thread} />);

interface ThreadProps extends Omit<ComponentProps<typeof OpenThread>, 'conversation'> {
  readonly id: string;
}

/** One conversation: its bar, its messages, and the box for the reply. */
export function Thread({ id, ...props }: ThreadProps) {
  const { data: conversation, error, refetch } = useConversation(id);
  if (conversation !== undefined) {
    return <OpenThread {...props} conversation={conversation} />;
  }
  return (
    <section className={styles.thread}>
      <NotLoaded error={error} onRetry={() => void refetch()} />
    </section>
  );
}
