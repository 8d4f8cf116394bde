type Child = Node | string | undefined | false;

/** Creates an element; its children are text or elements, never markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** Where `/docs/` lies, from this page. */
export const base = (): string => document.body.dataset['base'] ?? '';

/** The address of the server, from which the site came. */
export const serverUrl = (): string =>
  new URL(base() === '' ? '..' : '.', location.href).href.replace(/\/$/, '');
