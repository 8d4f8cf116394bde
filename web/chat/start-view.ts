import { makeAwayNotice } from './away-notice.ts';
import { beginSession, type Chat } from './chat.ts';
import { make, set } from './element.ts';
import { makeGreeting } from './greeting.ts';
import { sendMessage } from './send-message.ts';
import type { View } from './panel.ts';
import { makeVisitorForm, type VisitorFormOptions, type VisitorForm } from './visitor-form.ts';
import { texts } from './texts.ts';

/** The welcome text and the form that starts a chat or, outside the hours, leaves a message. */
export function makeStartView(chat: Chat): View {
  const ended = make('p', { class: 'ended', role: 'status' }, texts.ended);
  const content = make('div', { class: 'start-content' });
  let form: VisitorForm | undefined;
  let shownOnline: boolean | undefined;

  const submit = async ({ visitor, message }: VisitorFormOptions) => {
    const refusal = await beginSession(chat, visitor);
    if (refusal === undefined && message !== undefined) {
      sendMessage(chat, message);
    }
    return refusal;
  };
  return {
    root: make('div', { class: 'start' }, ended, content),
    render(configuration) {
      set(ended, { hidden: !chat.hasEnded });
      if (shownOnline === configuration.online) {
        return;
      }
      shownOnline = configuration.online;
      form = makeVisitorForm(configuration, submit);
      content.replaceChildren(
        ...(configuration.online
          ? makeGreeting(configuration)
          : [makeAwayNotice(configuration, texts.awayLead)]),
        form.root,
      );
    },
    shown: () => undefined,
    focus: () => form?.focus(),
  };
}
