import type { Api, FileRow } from './api.ts';
import { describeRefusal } from './describe-refusal.ts';
import { make, set } from './element.ts';
import { clipIcon, crossIcon } from './icons.ts';
import { texts } from './texts.ts';
import { uploadFile, type Uploaded } from './upload-file.ts';

/** The server's limit per message. */
const FILES_MAX = 10;

/** What the file chooser offers; the server decides by the bytes. */
const ACCEPT =
  'image/png,image/jpeg,image/gif,image/webp,application/pdf,text/plain,.csv,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp,audio/mpeg,audio/ogg,audio/mp4,video/mp4';

export interface Attachments {
  /** The button that opens the file chooser. */
  readonly button: HTMLElement;
  /** The files that wait for the message. */
  readonly list: HTMLElement;
  readonly add: (files: Iterable<File>) => void;
  /** True while a file is being uploaded. */
  readonly isBusy: () => boolean;
  readonly count: () => number;
  /** Returns the uploaded files and empties the list. */
  readonly take: () => readonly FileRow[];
}

interface Entry {
  readonly chip: HTMLElement;
  readonly ending: AbortController;
  row: FileRow | undefined;
  isOver: boolean;
}

/** Files that are uploaded while the visitor writes. `changed` is called after every change. */
export function makeAttachments(
  api: Api,
  sessionId: () => string | undefined,
  changed: () => void,
): Attachments {
  const entries = new Set<Entry>();
  const list = make('ul', { class: 'files', 'aria-label': texts.files, hidden: true });
  const input = make('input', { type: 'file', multiple: true, accept: ACCEPT, hidden: true });
  const label = { class: 'clip', type: 'button', 'aria-label': texts.attach };
  const button = make('button', label, clipIcon());
  const show = () => {
    set(list, { hidden: entries.size === 0 });
    changed();
  };
  const drop = (entry: Entry) => {
    entry.ending.abort();
    entry.chip.remove();
    entries.delete(entry);
    show();
  };
  const add = (files: Iterable<File>) => {
    const id = sessionId();
    for (const file of files) {
      if (id !== undefined && entries.size < FILES_MAX) {
        const entry = begin(api, id, file, { show, drop: () => drop(entry) });
        entries.add(entry);
        list.append(entry.chip);
      }
    }
    show();
  };
  button.addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    add(input.files ?? []);
    input.value = '';
  });
  return {
    button: make('span', { class: 'attach' }, button, input),
    list,
    add,
    isBusy: () => [...entries].some(({ isOver }) => !isOver),
    count: () => [...entries].filter(({ row }) => row).length,
    take() {
      const rows = [...entries].flatMap(({ row }) => row ?? []);
      [...entries].filter(({ row }) => row).forEach(drop);
      return rows;
    },
  };
}

function begin(
  api: Api,
  sessionId: string,
  file: File,
  { show, drop }: { readonly show: () => void; readonly drop: () => void },
): Entry {
  const state = make('span', { class: 'state' });
  const bar = make('progress', { max: 1, value: 0, 'aria-label': texts.uploading(file.name) });
  const remove = make(
    'button',
    { class: 'remove', type: 'button', 'aria-label': texts.removeFile(file.name) },
    crossIcon(),
  );
  const name = make('span', { class: 'name', dir: 'auto' }, file.name);
  const chip = make('li', { class: 'file' }, name, state, bar, remove);
  const entry: Entry = { chip, ending: new AbortController(), row: undefined, isOver: false };
  remove.addEventListener('click', drop);
  const onProgress = (share: number) => {
    bar.value = share;
  };
  const url = api.uploadUrl(sessionId, file.name || 'file');
  const settle = (outcome: Uploaded) => {
    entry.isOver = true;
    entry.row = outcome.data;
    bar.remove();
    if (outcome.refusal) {
      set(chip, { 'data-state': 'failed' });
      set(state, { role: 'alert' });
      state.textContent = whyRefused(outcome.refusal);
    }
    show();
  };
  void uploadFile(url, file, onProgress, entry.ending.signal).then(settle);
  return entry;
}

const whyRefused = (refusal: Parameters<typeof describeRefusal>[0]): string =>
  refusal.status === 413
    ? texts.fileTooLarge
    : refusal.status === 415 || refusal.status === 400
      ? texts.fileRefused
      : describeRefusal(refusal);
