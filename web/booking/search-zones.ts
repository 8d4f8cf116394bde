const SHOWN_MAX = 40;

/** Adds a search to the choice of the time zone: a combobox as the ARIA Authoring Practices describe it. */
export function searchZones(): void {
  const form = document.querySelector<HTMLFormElement>('form.zone');
  const select = form?.querySelector('select');
  const label = form?.dataset['search'];
  if (form && select && label !== undefined) {
    const parts = makeParts(label);
    form.append(parts.name, parts.input, parts.list);
    follow(parts, [...select.options].slice(1), (zone) => {
      select.value = zone;
      form.requestSubmit();
    });
  }
}

interface Parts {
  readonly name: HTMLLabelElement;
  readonly input: HTMLInputElement;
  readonly list: HTMLElement;
}

function makeParts(label: string): Parts {
  const name = document.createElement('label');
  const input = document.createElement('input');
  const list = document.createElement('ul');
  Object.assign(name, { htmlFor: 'zone-search', className: 'unseen', textContent: label });
  Object.assign(input, {
    id: 'zone-search',
    type: 'text',
    placeholder: hintOf(label),
    autocomplete: 'off',
  });
  Object.assign(input, { role: 'combobox', ariaExpanded: 'false', ariaAutoComplete: 'list' });
  input.setAttribute('aria-controls', 'zones');
  Object.assign(list, { id: 'zones', role: 'listbox', hidden: true, ariaLabel: label });
  return { name, input, list };
}

/** Returns the part of the label after its verb, which fits into the field: `City, region or UTC+2`. */
function hintOf(label: string): string {
  const hint = label.slice(label.indexOf(':') + 1).trim();
  return hint.charAt(0).toUpperCase() + hint.slice(1);
}

/** Shows the zones that contain every typed word, and chooses one by pointer or keyboard. */
function follow(
  { input, list }: Parts,
  zones: readonly HTMLOptionElement[],
  choose: (zone: string) => void,
): void {
  let active = 0;
  const show = () => {
    const wanted = fold(input.value).split(' ');
    const found = zones.filter((zone) => wanted.every((word) => wordsOf(zone).includes(word)));
    const isOpen = input.value.trim() !== '' && found.length > 0;
    const shown = isOpen ? found.slice(0, SHOWN_MAX) : [];
    active = Math.min(Math.max(active, 0), Math.max(shown.length - 1, 0));
    list.replaceChildren(...shown.map((zone, at) => itemOf(zone, at, at === active)));
    list.hidden = !isOpen;
    input.ariaExpanded = String(isOpen);
    input.setAttribute('aria-activedescendant', isOpen ? `zone-${active}` : '');
    list.children[active]?.scrollIntoView({ block: 'nearest' });
  };
  const chooseItem = (item: Element | null | undefined) => {
    const zone = item instanceof HTMLElement ? item.dataset['zone'] : undefined;
    if (zone !== undefined) {
      choose(zone);
    }
  };
  const close = () => void (input.value = '');
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => void (active += 1),
    ArrowUp: () => void (active -= 1),
    Enter: () => chooseItem(list.children[active]),
    Escape: close,
  };
  input.addEventListener('keydown', (event) => {
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (act) {
      event.preventDefault();
      act();
      show();
    }
  });
  input.addEventListener('input', () => {
    active = 0;
    show();
  });
  input.addEventListener('blur', () => {
    close();
    show();
  });
  // The pointer must not take the focus from the field: that closes the list.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => chooseItem(target as Element | null));
}

function itemOf(zone: HTMLOptionElement, at: number, isActive: boolean): HTMLElement {
  const item = document.createElement('li');
  Object.assign(item, { id: `zone-${at}`, role: 'option', ariaSelected: String(isActive) });
  item.dataset['zone'] = zone.value;
  item.textContent = zone.text;
  return item;
}

/** The region, the city and the offset, so that each can be searched for. */
const wordsOf = (zone: HTMLOptionElement): string => fold(`${zone.value} ${zone.text}`);

const fold = (text: string): string =>
  text.trim().toLowerCase().replaceAll(/[_/]/g, ' ').replaceAll('−', '-');
