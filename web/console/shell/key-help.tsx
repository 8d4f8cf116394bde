import { useMessages } from '../i18n/messages.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { COMMAND_KEY } from '../ui/use-hotkeys.ts';
import styles from './key-help.module.css';

interface KeyHelpProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists the keys. */
export function KeyHelp({ isOpen, onClose }: KeyHelpProps) {
  const { keys, tasks, taskList } = useMessages();
  const anywhere = [
    [`${COMMAND_KEY} K`, keys.palette],
    ['?', keys.help],
  ] as const;
  const inbox = [
    ['J', keys.next],
    ['K', keys.previous],
    ['R', keys.reply],
    ['N', keys.note],
    ['E', keys.closeConversation],
    ['S', keys.snooze],
    ['A', keys.assign],
    ['U', keys.unread],
    [`${COMMAND_KEY} Enter`, keys.send],
  ] as const;
  const inTasks = [
    ['J K', taskList.move],
    ['E', taskList.completeKey],
    ['D', taskList.due],
  ] as const;
  return (
    <Dialog title={keys.title} isOpen={isOpen} onClose={onClose}>
      <KeyList title={keys.anywhere} rows={anywhere} />
      <KeyList title={keys.inbox} rows={inbox} />
      <KeyList title={tasks.title} rows={inTasks} />
    </Dialog>
  );
}

interface KeyListProps {
  readonly title: string;
  readonly rows: readonly (readonly [keys: string, meaning: string])[];
}

const KeyList = ({ title, rows }: KeyListProps) => (
  <section className={styles.section}>
    <h3 className={styles.title}>{title}</h3>
    <dl>
      {rows.map(([keys, meaning]) => (
        <div key={keys} className={styles.row}>
          <dt>{meaning}</dt>
          <dd className={styles.keys}>
            {keys.split(' ').map((key) => (
              <kbd key={key} className={styles.key}>
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
