import { element } from './element.ts';
import { recall, remember } from './stored.ts';

const KEY = 'language';

interface Group {
  readonly tabs: readonly HTMLButtonElement[];
  readonly sections: readonly HTMLElement[];
  readonly languages: readonly string[];
}

/** Turns examples in several languages into tabs. A choice holds for all pages. */
export function openTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(groupOf);
  const choose = (language: string) => {
    for (const group of groups) {
      show(group, language);
    }
  };
  for (const { tabs, languages } of groups) {
    for (const [at, tab] of tabs.entries()) {
      tab.addEventListener('click', () => {
        // The tab stays where it is, although examples above it change their heights.
        const before = tab.getBoundingClientRect().top;
        choose(languages[at] ?? '');
        remember(KEY, languages[at]);
        scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
      });
      tab.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step) {
          const next = tabs[(at + step + tabs.length) % tabs.length];
          event.preventDefault();
          next?.click();
          next?.focus();
        }
      });
    }
  }
  choose(recall(KEY) ?? '');
}

let count = 0;

function groupOf(root: HTMLElement): Group {
  const sections = [...root.querySelectorAll<HTMLElement>('section')];
  const languages = sections.map((section) => section.dataset['language'] ?? '');
  const tabs = sections.map((section, at) => {
    count += 1;
    section.id = `code-${count}`;
    section.setAttribute('role', 'tabpanel');
    section.setAttribute('aria-label', languages[at] ?? '');
    section.querySelector('.language')?.remove();
    return element(
      'button',
      { type: 'button', role: 'tab', 'aria-controls': section.id },
      languages[at],
    );
  });
  root.prepend(element('div', { role: 'tablist', 'aria-label': 'Language' }, ...tabs));
  return { tabs, sections, languages };
}

/** A group without the language shows its first. */
function show({ tabs, sections, languages }: Group, language: string): void {
  const chosen = Math.max(0, languages.indexOf(language));
  for (const [at, tab] of tabs.entries()) {
    tab.setAttribute('aria-selected', String(at === chosen));
    tab.tabIndex = at === chosen ? 0 : -1;
  }
  for (const [at, section] of sections.entries()) {
    section.hidden = at !== chosen;
  }
}
