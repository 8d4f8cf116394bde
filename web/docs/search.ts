import MiniSearch, { type SearchResult } from 'minisearch';
import { base, element } from './element.ts';

/** A task is what most readers look for; how Frontdesk is built, what the fewest do. */
const GROUP_BOOSTS: Readonly<Record<string, number>> = { Guides: 1.5, Contributing: 0.4 };
const RESULTS_MAX = 12;
const EXCERPT_BEFORE = 40;
const EXCERPT_LENGTH = 150;

interface SearchRecord {
  readonly id: string;
  readonly page: string;
  readonly group: string;
  readonly heading: string;
  readonly body: string;
}

type Hit = SearchResult & SearchRecord;

/** Opens search with its button, `/` or Ctrl-K; arrows choose a result, Enter opens it. */
export function openSearch(): void {
  const view = searchDialog();
  const { dialog, input } = view;
  const index = keptIndex();
  const open = () => {
    if (!dialog.open) {
      dialog.showModal();
    }
    input.focus();
    input.select();
    index().catch(() => undefined);
  };
  takeQueries(view, index);
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  for (const button of document.querySelectorAll('.open-search')) {
    button.addEventListener('click', open);
  }
  document.addEventListener('keydown', (event) => {
    const isShortcut =
      (event.key === 'k' && (event.ctrlKey || event.metaKey)) ||
      (event.key === '/' && !isTyping(event.target) && !event.ctrlKey && !event.metaKey);
    if (isShortcut) {
      event.preventDefault();
      open();
    }
  });
}

type View = ReturnType<typeof searchDialog>;

/** Shows the results of every query, and moves among them with the arrow keys. */
function takeQueries({ dialog, input, list, status }: View, index: LoadIndex): void {
  let chosen = 0;
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>('[role="option"]')];
  const choose = (at: number) => {
    const all = options();
    chosen = all.length === 0 ? 0 : (at + all.length) % all.length;
    for (const [place, option] of all.entries()) {
      option.setAttribute('aria-selected', String(place === chosen));
    }
    all[chosen]?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', all[chosen]?.id ?? '');
  };
  const find = async () => {
    const query = input.value.trim();
    try {
      const hits = query === '' ? [] : hitsOf(await index(), query);
      // The reader may have typed on while the index was loaded.
      if (query === input.value.trim()) {
        list.replaceChildren(...hits.map((hit, at) => resultLink(hit, at)));
        status.textContent = query === '' || hits.length > 0 ? '' : `No results for “${query}”.`;
        choose(0);
      }
    } catch {
      status.textContent =
        'The search index could not be loaded. Check the connection and try again.';
    }
  };
  input.addEventListener('input', () => void find());
  list.addEventListener('click', () => dialog.close());
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      choose(chosen + step);
    } else if (event.key === 'Escape') {
      // A search field would clear itself first.
      event.preventDefault();
      dialog.close();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      options()[chosen]?.click();
    }
  });
}

type LoadIndex = () => Promise<MiniSearch<SearchRecord>>;

/** Loads the index once; after a failure, again. */
function keptIndex(): LoadIndex {
  let loading: Promise<MiniSearch<SearchRecord>> | undefined;
  return () =>
    (loading ??= loadIndex().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null;

function searchDialog() {
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'Search guides and endpoints',
    'aria-label': 'Search',
    'aria-expanded': 'true',
    'aria-controls': 'results',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const list = element('div', { id: 'results', role: 'listbox', 'aria-label': 'Results' });
  const status = element('p', { role: 'status' });
  const close = element('button', { type: 'button', class: 'close' }, 'Close');
  const dialog = element(
    'dialog',
    { class: 'search', 'aria-label': 'Search the documentation' },
    element('div', { class: 'query' }, input, close),
    list,
    status,
  );
  close.addEventListener('click', () => dialog.close());
  document.body.append(dialog);
  return { dialog, input, list, status };
}

async function loadIndex(): Promise<MiniSearch<SearchRecord>> {
  const response = await fetch(`${base()}search.json`);
  if (!response.ok) {
    throw new Error(`search.json: ${response.status}`);
  }
  const index = new MiniSearch<SearchRecord>({
    fields: ['heading', 'page', 'body'],
    storeFields: ['page', 'group', 'heading', 'body'],
  });
  index.addAll((await response.json()) as SearchRecord[]);
  return index;
}

const hitsOf = (index: MiniSearch<SearchRecord>, query: string): Hit[] =>
  index
    .search(query, {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boost: { heading: 4, page: 2 },
      boostDocument: (_id, _term, stored) => GROUP_BOOSTS[String(stored?.['group'])] ?? 1,
    })
    .slice(0, RESULTS_MAX) as Hit[];

function resultLink({ id, page, group, heading, body, terms }: Hit, at: number): HTMLElement {
  const trail = heading === page ? group : `${group} › ${page}`;
  return element(
    'a',
    { role: 'option', id: `result-${at}`, href: base() + id, tabindex: '-1' },
    element('span', { class: 'trail' }, trail),
    element('span', { class: 'heading' }, heading),
    element('span', { class: 'excerpt' }, ...excerptOf(body, terms)),
  );
}

/** The text around the first word that was found, with all of them marked. */
function excerptOf(body: string, terms: readonly string[]): (string | Node)[] {
  const words = terms.map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`(${words.join('|')})`, 'gi');
  const first = Math.max(0, body.search(pattern) - EXCERPT_BEFORE);
  const start = first === 0 ? 0 : body.indexOf(' ', first) + 1;
  const text = `${start > 0 ? '… ' : ''}${body.slice(start, start + EXCERPT_LENGTH)}`;
  return text.split(pattern).map((part, at) => (at % 2 === 1 ? element('mark', {}, part) : part));
}
