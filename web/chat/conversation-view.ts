import { makeAwayNotice } from './away-notice.ts';
import { makeAttachments } from './attachments.ts';
import type { Chat } from './chat.ts';
import { makeComposer } from './composer.ts';
import type { Configuration } from './api.ts';
import { make, set } from './element.ts';
import { makeTypingNotes } from './note-typing.ts';
import { makeMessageList } from './message-list.ts';
import { makeGreeting } from './greeting.ts';
import { sendMessage } from './send-message.ts';
import type { View } from './panel.ts';
import { texts } from './texts.ts';

export interface ConversationView extends View {
  readonly putBack: (text: string) => void;
}

/** The messages and the composer. */
export function makeConversationView(chat: Chat, configuration: Configuration): ConversationView {
  const head = [...makeGreeting(configuration), makeAwayNotice(configuration, texts.awayInChat)];
  const list = makeMessageList(chat, head);
  const lost = make('p', { class: 'lost', role: 'status' });
  const typing = make('p', { class: 'typing', role: 'status' });
  const composer = makeComposer(
    (text, files) => sendMessage(chat, text, files),
    makeTypingNotes(chat),
    (changed) => makeAttachments(chat.api, () => chat.session?.id, changed),
  );
  return {
    root: make('div', { class: 'conversation' }, list.root, typing, lost, composer.root),
    render({ online }) {
      const notice = head.at(-1);
      if (notice !== undefined) {
        set(notice, { hidden: online });
      }
      list.render();
      showTyping(typing, chat.session?.typing !== undefined);
      const text = chat.session?.isConnected === false ? texts.reconnecting : '';
      if (lost.textContent !== text) {
        lost.textContent = text;
      }
    },
    focus: composer.focus,
    shown: list.toEnd,
    putBack: composer.putBack,
  };
}

/** Three dots for the eyes, a sentence for screen readers. */
function showTyping(line: HTMLElement, isTyping: boolean): void {
  if (isTyping !== line.hasChildNodes()) {
    const dots = [1, 2, 3].map(() => make('i', { 'aria-hidden': 'true' }));
    line.replaceChildren(...(isTyping ? [...dots, make('span', {}, texts.typing)] : []));
  }
}
