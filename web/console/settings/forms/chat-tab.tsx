import { usePlace } from '../../api/session.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import settingsStyles from '../settings.module.css';
import { textOf } from './entry.ts';
import { useChatFields } from './field-lists.ts';
import styles from './page-links.module.css';
import { sectionMessages } from './section-messages.ts';
import { useSection } from './section-queries.ts';
import { SingleTab } from './single-form.tsx';

/** The live chat on websites. */
export function ChatTab() {
  const [subAccount] = useSection('subAccount').entries ?? [];
  const fields = useChatFields(textOf(subAccount?.['brandColor']));
  return (
    <>
      <SingleTab section="chat" fieldsFor={() => fields} />
      <ChatTag />
    </>
  );
}

/** The tag that shows the chat on a website, if visitors can start one. */
function ChatTag() {
  const texts = sectionMessages();
  const { subAccountId } = usePlace().membership;
  const [chat] = useSection('chat').entries ?? [];
  if (chat === undefined || chat['enabled'] === false) {
    return null;
  }
  const src = `${location.origin}/chat/widget.js`;
  return (
    <section className={styles.links} aria-labelledby="chat-tag">
      <h2 id="chat-tag">{texts.chatTag}</h2>
      <p className={settingsStyles.hint}>{texts.chatTagHint}</p>
      <div className={styles.row}>
        <CopyField
          label={texts.chatTagLine}
          value={`<script src="${src}" data-sub-account="${subAccountId}" async></script>`}
        />
        <a href={`/chat/demo?subAccountId=${subAccountId}`} target="_blank" rel="noopener">
          {texts.tryChat}
        </a>
      </div>
    </section>
  );
}
