import { make, set } from './element.ts';
import { texts } from './texts.ts';

/** The list counts as scrolled to its end within this distance. */
const NEAR_PX = 80;

export interface Scroller {
  readonly root: HTMLElement;
  readonly log: HTMLElement;
  /** Shows `nodes`; scrolls to the end if it was there, or if `isOwn` and the last one is new. */
  readonly show: (nodes: readonly Node[], isOwn: boolean) => void;
  readonly toEnd: () => void;
}

/** A list that follows new messages. After the visitor scrolls back, a button announces them instead. */
export function makeScroller(): Scroller {
  const log = make('div', {
    class: 'log',
    role: 'log',
    'aria-live': 'polite',
    'aria-label': texts.conversation,
    tabindex: 0,
  });
  const more = make('button', { class: 'more', type: 'button', hidden: true }, texts.newest);
  const isAtEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX;
  const toEnd = () => {
    log.scrollTop = log.scrollHeight;
  };
  more.addEventListener('click', () => {
    toEnd();
    log.focus();
  });
  log.addEventListener('scroll', () => {
    if (isAtEnd()) {
      set(more, { hidden: true });
    }
  });
  return {
    root: make('div', { class: 'messages' }, log, more),
    log,
    show(nodes, isOwn) {
      const wasAtEnd = isAtEnd();
      const wasLast = log.lastChild;
      place(log, nodes);
      const isNew = log.lastChild !== wasLast;
      if (wasAtEnd || (isNew && isOwn)) {
        toEnd();
      } else if (isNew) {
        set(more, { hidden: false });
      }
    },
    toEnd,
  };
}

/** Sets the children. Nodes that stay in place are not touched: screen readers would announce them again. */
function place(parent: HTMLElement, nodes: readonly Node[]): void {
  for (const [index, node] of nodes.entries()) {
    if (parent.childNodes[index] !== node) {
      parent.insertBefore(node, parent.childNodes[index] ?? null);
    }
  }
  while (parent.childNodes.length > nodes.length) {
    parent.lastChild?.remove();
  }
}
