import { element, serverUrl } from './element.ts';

interface TrialRequest {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly isKeyed: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required: boolean;
    /** All values, if there are only these. */
    readonly choices?: readonly string[];
  }[];
  readonly body?: string;
}

const ROWS_MAX = 14;

/** Kept in this page only, until it is closed or reloaded. */
let apiKey = '';

/** Gives every endpoint a form that sends a request to this server. */
export function openTrials(): void {
  for (const place of document.querySelectorAll<HTMLElement>('.try')) {
    const request = JSON.parse(place.dataset['request'] ?? '{}') as TrialRequest;
    const button = element('button', { type: 'button', class: 'button' }, 'Try it');
    button.addEventListener('click', () => openTrial(request, button));
    place.append(button);
  }
}

function openTrial(request: TrialRequest, opener: HTMLElement): void {
  const { method, path, summary, isKeyed, parameters, body } = request;
  const key = field('API key', { type: 'password', autocomplete: 'off', required: '' });
  key.input.value = apiKey;
  const inputs = parameters.map((parameter) => ({
    ...parameter,
    ...(parameter.choices
      ? choice(parameter.name, parameter.choices, parameter.required)
      : field(parameter.name, { type: 'text', ...(parameter.required && { required: '' }) })),
  }));
  const lines = (body ?? '').split('\n').length;
  const rows = String(Math.min(lines + 1, ROWS_MAX));
  const text = element('textarea', { rows, spellcheck: 'false' });
  text.value = body ?? '';
  const output = element('div', { class: 'output', 'aria-live': 'polite' });
  const send = element('button', { type: 'submit', class: 'button primary' }, 'Send request');
  const close = element('button', { type: 'button', class: 'button' }, 'Close');
  const form = element(
    'form',
    {},
    element('h2', { id: 'trial' }, summary),
    element('p', { class: 'route' }, element('code', {}, `${method} ${path}`)),
    element('p', { class: 'callout warning' }, 'Requests run against your live data.'),
    isKeyed && key.label,
    ...inputs.filter((one) => one.in !== 'header').map(({ label }) => label),
    body !== undefined && element('label', {}, element('span', {}, 'Body'), text),
    ...inputs.filter((one) => one.in === 'header').map(({ label }) => label),
    element('div', { class: 'actions' }, send, close),
    output,
  );
  const dialog = element('dialog', { class: 'trial', 'aria-labelledby': 'trial' }, form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    apiKey = key.input.value.trim();
    send.disabled = true;
    const values = inputs.map(({ name, in: place, input }) => ({
      name,
      place,
      value: input.value,
    }));
    void run(request, values, body === undefined ? undefined : text.value)
      .then((shown) => showIn(output, shown))
      .finally(() => {
        send.disabled = false;
      });
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    dialog.remove();
    opener.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Shows the nodes, and scrolls to them: a long form hides what is below it. */
function showIn(output: HTMLElement, shown: readonly Node[]): void {
  output.replaceChildren(...shown);
  output.scrollIntoView({ block: 'start' });
}

function field(name: string, attributes: Readonly<Record<string, string>>) {
  const input = element('input', { spellcheck: 'false', ...attributes });
  const note = 'required' in attributes ? '' : ' (optional)';
  return { input, label: element('label', {}, element('span', {}, name + note), input) };
}

/** A list of values; without one, an optional parameter is left out. */
function choice(name: string, values: readonly string[], isRequired: boolean) {
  const shown = isRequired ? values : ['', ...values];
  const options = shown.map((value) => element('option', { value }, value));
  const input = element('select', {}, ...options);
  const note = isRequired ? '' : ' (optional)';
  return { input, label: element('label', {}, element('span', {}, name + note), input) };
}

interface Value {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header';
  readonly value: string;
}

/** Sends the request and returns what to show of its response. */
async function run(
  { method, path, isKeyed }: TrialRequest,
  values: readonly Value[],
  body: string | undefined,
): Promise<Node[]> {
  const given = values.filter(({ value }) => value !== '');
  const at = (place: Value['place']) => given.filter((one) => one.place === place);
  const filled = at('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(at('query').map(({ name, value }) => [name, value])).toString();
  const headers = {
    ...(isKeyed && { authorization: `Bearer ${apiKey}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...Object.fromEntries(at('header').map(({ name, value }) => [name, value])),
  };
  const start = performance.now();
  try {
    const response = await fetch(serverUrl() + filled + (query && `?${query}`), {
      method,
      headers,
      credentials: 'omit',
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const duration = Math.round(performance.now() - start);
    const status = `${response.status} ${response.statusText} · ${duration} ms`;
    const id = response.headers.get('x-request-id');
    return [
      element('p', { class: response.ok ? 'status good' : 'status bad' }, status),
      ...(id ? [element('p', { class: 'quiet' }, `Request ${id}`)] : []),
      element(
        'pre',
        { tabindex: '0', 'aria-label': 'Response' },
        element('code', {}, pretty(text)),
      ),
    ];
  } catch (error) {
    return [
      element('p', { class: 'status bad' }, `The request failed: ${(error as Error).message}`),
    ];
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
