import { useQuery } from '@tanstack/react-query';
import { consoleCalls } from '../../api/client.ts';
import { usePlace } from '../../api/session.ts';
import { useMessages } from '../../i18n/messages.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { channelMessages } from './channel-messages.ts';
import styles from './connection-dialog.module.css';
import type { Channel } from './providers.ts';

interface Connection {
  readonly part: 'sending' | 'receiving';
  /** Why the test failed, in the words of the server; null if it did not. */
  readonly message: string | null;
}

interface ConnectionDialogProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

/** Tests the connection of a channel, and shows what was found. */
export function ConnectionDialog({ channel, onClose }: ConnectionDialogProps) {
  const { channels, common } = useMessages();
  const texts = channelMessages();
  const { data, error, isFetching, refetch } = useConnectionTest(channel);
  const again = () => void refetch();
  return (
    <Dialog
      title={texts.testOf(channels[channel])}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button isPending={isFetching} onPress={again}>
            {texts.again}
          </Button>
          <Button look="primary" onPress={onClose}>
            {common.done}
          </Button>
        </>
      }
    >
      <div aria-live="polite">
        {isFetching && <p>{texts.testing}</p>}
        {!isFetching && error && <ErrorState error={error} onRetry={again} />}
        {!isFetching && data && <Connections found={data.connections} />}
      </div>
    </Dialog>
  );
}

function useConnectionTest(channel: Channel) {
  const { subAccountId } = usePlace().membership;
  return useQuery({
    queryKey: [subAccountId, 'connection', channel],
    queryFn: ({ signal }) =>
      consoleCalls(subAccountId).data<{ readonly connections: readonly Connection[] }>(
        'POST',
        `/api/v1/channels/${channel}/test`,
        { options: { signal } },
      ),
    // Each opening tests again, and nothing else does.
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
}

/** Frontdesk refused the address; the provider was not asked. */
const NOT_PUBLIC = /\bnot public$/;

function Connections({ found }: { readonly found: readonly Connection[] }) {
  const { passed, failed, privateAddress } = channelMessages();
  return (
    <ul role="list" className={styles.list}>
      {found.map(({ part, message }) => (
        <li key={part} className={message === null ? styles.passed : styles.failed}>
          <Icon name={message === null ? 'check' : 'warning'} />
          <div>
            <p className={styles.title}>{message === null ? passed[part] : failed[part]}</p>
            {message !== null && <p className={styles.reason}>{message}</p>}
            {message !== null && NOT_PUBLIC.test(message) && <p>{privateAddress}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
