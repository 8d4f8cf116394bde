import { makeAwayNotice } from './away-notice.ts';
import type { Chat } from './chat.ts';
import { makeComposer } from './composer.ts';
import type { Configuration } from './api.ts';
import { make, set } from './element.ts';
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
  const composer = makeComposer((text) => sendMessage(chat, text));
  return {
    root: make('div', { class: 'conversation' }, list.root, lost, composer.root),
    render({ online }) {
      const notice = head.at(-1);
      if (notice !== undefined) {
        set(notice, { hidden: online });
      }
      list.render();
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
