import { element, serverUrl } from './element.ts';

/** The server that the examples name. */
const EXAMPLE_URL = 'https://crm.example.com';
const COPIED_MS = 1_500;

/** Puts the address of this server into the examples, and a copy button on each. */
export function openCode(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    nameThisServer(block);
    block.append(copyButton(block));
  }
  // What does not scroll needs no place in the order of the Tab key.
  const scrollers = document.querySelectorAll<HTMLElement>('.code pre, .table');
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      makeReachable(target as HTMLElement);
    }
  });
  for (const scroller of scrollers) {
    sizes.observe(scroller);
  }
}

function makeReachable(scroller: HTMLElement): void {
  if (
    scroller.scrollWidth > scroller.clientWidth ||
    scroller.scrollHeight > scroller.clientHeight
  ) {
    scroller.tabIndex = 0;
  } else {
    scroller.removeAttribute('tabindex');
  }
}

function nameThisServer(block: HTMLElement): void {
  const url = serverUrl();
  const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.nodeValue?.includes(EXAMPLE_URL)) {
      text.nodeValue = text.nodeValue.replaceAll(EXAMPLE_URL, url);
    }
  }
}

function copyButton(block: HTMLElement): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
  button.addEventListener('click', () => {
    const code = block.querySelector('code');
    copy(code?.textContent ?? '').then(
      () => say(button, 'Copied'),
      () => {
        getSelection()?.selectAllChildren(code ?? block);
        say(button, 'Press Ctrl+C');
      },
    );
  });
  return button;
}

/** Rejects over plain HTTP, where browsers have no clipboard. */
const copy = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}
