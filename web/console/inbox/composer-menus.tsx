import { useLocation } from 'wouter';
import { useIsAdmin } from '../api/session.ts';
import { useMessages } from '../i18n/messages.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useSavedReplies } from './message-queries.ts';

interface ComposerMenusProps {
  readonly onInsert: (text: string) => void;
}

/** The fields of the contact that a message may name (docs/conversations.md). */
const MERGE_FIELDS = ['firstName', 'lastName', 'fullName', 'email', 'phone', 'company'] as const;

/** Inserts merge fields and saved replies. */
export function ComposerMenus({ onInsert }: ComposerMenusProps) {
  const { thread } = useMessages();
  const { data: replies } = useSavedReplies();
  const isAdmin = useIsAdmin();
  const [, navigate] = useLocation();
  return (
    <>
      <Menu
        label={thread.savedReplies}
        placement="top start"
        trigger={<IconButton icon="template" label={thread.savedReplies} isSmall />}
      >
        {replies?.map(({ id, name, body }) => (
          <MenuItem key={id} onAction={() => onInsert(body)}>
            {name}
          </MenuItem>
        ))}
        {replies?.length === 0 && (
          <MenuItem
            isDisabled={!isAdmin}
            description={thread.noSavedRepliesText}
            onAction={() => navigate('/settings?tab=manifest')}
          >
            {thread.noSavedReplies}
          </MenuItem>
        )}
      </Menu>
      <Menu
        label={thread.mergeFields}
        placement="top start"
        trigger={<IconButton icon="braces" label={thread.mergeFields} isSmall />}
      >
        {MERGE_FIELDS.map((field) => (
          <MenuItem key={field} onAction={() => onInsert(`{{${field}}}`)}>
            {`{{${field}}}`}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
