import { make, set } from './element.ts';
import { words } from './words.ts';

/** So near to its end the list follows what comes. */
const NEAR_PX = 80;

export interface Scroller {
  readonly root: HTMLElement;
  readonly log: HTMLElement;
  /** Shows `nodes`; goes to the end where the visitor was there, or where `isOwn` and it is new. */
  readonly show: (nodes: readonly Node[], isOwn: boolean) => void;
  readonly toEnd: () => void;
}

/** A list that stays at its end; who has scrolled away is told of what is new instead. */
export function makeScroller(): Scroller {
  const log = make('div', {
    class: 'log',
    role: 'log',
    'aria-live': 'polite',
    'aria-label': words.conversation,
    tabindex: 0,
  });
  const more = make('button', { class: 'more', type: 'button', hidden: true }, words.newest);
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

/** Makes `nodes` the children. What is in its place is not touched, or it would be read out again. */
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
