import { timeOfDay } from './describe-time.ts';
import { make, set } from './element.ts';
import { linkedText } from './linked-text.ts';
import { language, texts } from './texts.ts';

/** One message in the panel. */
export interface Bubble {
  readonly root: HTMLElement;
  /** Sets its position among messages of the same sender, and the text below it. */
  readonly show: (shown: BubbleOptions) => void;
}

interface BubbleOptions {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly foot: Foot;
}

export type Foot =
  | { readonly kind: 'sent' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'failed'; readonly why: string; readonly retry: (() => void) | undefined };

interface Message {
  readonly isOwn: boolean;
  readonly sender: string;
  /** The address of the sender's picture. */
  readonly picture?: string | undefined;
  readonly text: string;
  readonly files?: readonly HTMLElement[];
  /** Absent for the greeting, which has no time. */
  readonly at?: Date;
}

export function makeBubble({ isOwn, sender, picture, text, files = [], at }: Message): Bubble {
  const who = make('span', { class: 'sender', dir: 'auto' }, isOwn ? texts.you : sender);
  // Screen readers must not announce the countdown: the widget announces the failure once.
  const foot = make('div', { class: 'foot', 'aria-live': 'off' });
  const avatar = make(
    'span',
    { class: 'avatar', 'aria-hidden': 'true' },
    ...(picture === undefined ? [] : [portrait(picture)]),
    initialOf(sender),
  );
  const body = make('div', { class: 'bubble', dir: 'auto' });
  body.append(...linkedText(text));
  set(body, { hidden: text === '' && files.length > 0 });
  const root = make(
    'div',
    { class: `message ${isOwn ? 'own' : 'agent'}` },
    isOwn ? undefined : avatar,
    make('div', { class: 'stack' }, who, ...files, body, foot),
  );
  let shownKey = '';
  return {
    root,
    show({ isFirst, isLast, foot: shown }) {
      root.classList.toggle('first', isFirst);
      root.classList.toggle('last', isLast);
      set(root, { 'data-state': shown.kind });
      who.classList.toggle('spoken', isOwn || !isFirst);
      const key = JSON.stringify(shown) + (shown.kind === 'failed' && shown.retry !== undefined);
      if (key !== shownKey) {
        shownKey = key;
        const hadFocus = foot.matches(':focus-within');
        foot.replaceChildren(...footOf(shown, at));
        if (hadFocus) {
          foot.querySelector('button')?.focus();
        }
      }
    },
  };
}

function footOf(foot: Foot, at: Date | undefined): (Node | string)[] {
  if (foot.kind === 'sending') {
    return [texts.sending];
  }
  if (foot.kind === 'sent') {
    return at === undefined ? [] : [time(at)];
  }
  const retry = make(
    'button',
    { class: 'again', type: 'button', 'aria-disabled': foot.retry ? undefined : 'true' },
    texts.again,
  );
  retry.addEventListener('click', () => foot.retry?.());
  return [make('span', {}, `${texts.failed} ${foot.why}`.trim()), retry];
}

const time = (at: Date) =>
  make(
    'time',
    { datetime: at.toISOString(), title: at.toLocaleString(language) },
    timeOfDay(at, language),
  );

/** Lies on the initial, which stays visible if the picture cannot be loaded. */
function portrait(src: string): HTMLElement {
  const image = make('img', { src, alt: '', loading: 'lazy' });
  image.addEventListener('error', () => image.remove());
  return image;
}

const initialOf = (sender: string): string => Array.from(sender.trim())[0]?.toUpperCase() ?? '';
