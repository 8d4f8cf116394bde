import { makeAwayNotice } from './away-notice.ts';
import type { Configuration, Refusal } from './api.ts';
import { beginSession, type Chat } from './chat.ts';
import { makeComposer } from './composer.ts';
import { describeRefusal } from './describe-refusal.ts';
import { make, set } from './element.ts';
import { makeGreeting } from './greeting.ts';
import { linkedText } from './linked-text.ts';
import { sendMessage } from './send-message.ts';
import type { View } from './panel.ts';
import { makeVisitorForm, type VisitorFormOptions } from './visitor-form.ts';
import { texts } from './texts.ts';

/** What starts a chat: a form, or the text box alone. */
interface Starter {
  readonly root: HTMLElement;
  readonly focus: () => void;
}

/** The welcome text and what starts a chat or, outside the hours, leaves a message. */
export function makeStartView(chat: Chat): View {
  const ended = make('p', { class: 'ended', role: 'status' }, texts.ended);
  const content = make('div', { class: 'start-content' });
  const root = make(
    'div',
    { class: 'conversation' },
    make('div', { class: 'start' }, ended, content),
  );
  let starter: Starter | undefined;
  let shownOnline: boolean | undefined;

  const submit = async ({ visitor, message }: VisitorFormOptions) => {
    const refusal = await beginSession(chat, visitor);
    if (refusal === undefined && message !== undefined) {
      sendMessage(chat, message);
    }
    return refusal;
  };
  return {
    root,
    render(configuration) {
      set(ended, { hidden: !chat.hasEnded });
      if (shownOnline === configuration.online) {
        return;
      }
      shownOnline = configuration.online;
      starter?.root.remove();
      const greeting = configuration.online
        ? makeGreeting(configuration)
        : [makeAwayNotice(configuration, texts.awayLead)];
      if (asksNothing(configuration)) {
        starter = makeFirstMessage(submit);
        content.replaceChildren(...greeting, ...legalText(configuration));
        root.append(starter.root);
      } else {
        starter = makeVisitorForm(configuration, submit);
        content.replaceChildren(...greeting, starter.root);
      }
    },
    shown: () => undefined,
    focus: () => starter?.focus(),
  };
}

/** Outside the hours, the team needs an address to reply to. */
const asksNothing = ({ online, requireName = true, requireEmail }: Configuration): boolean =>
  online && !requireName && !requireEmail;

/** The text box. The first message starts the chat. */
function makeFirstMessage(
  submit: (given: VisitorFormOptions) => Promise<Refusal | undefined>,
): Starter {
  const problem = make('p', { class: 'problem', role: 'alert' });
  const send = async (text: string) => {
    problem.textContent = '';
    const refusal = await submit({ visitor: { visitorName: texts.visitor }, message: text });
    if (refusal !== undefined) {
      problem.textContent = describeRefusal(refusal);
      composer.putBack(text);
    }
  };
  const composer = makeComposer((text) => void send(text));
  return { root: make('div', { class: 'first' }, problem, composer.root), focus: composer.focus };
}

const legalText = ({ legalText: text }: Configuration): HTMLElement[] =>
  text ? [make('p', { class: 'legal', dir: 'auto' }, ...linkedText(text))] : [];
