import { html, type Html } from '#lib/html.ts';
import { FILE_KINDS } from '../../files/file-type.ts';
import type { FormField } from '../form-entry.ts';
import { inputAcceptOf, maxBytesOf } from '../file-field.ts';
import type { Messages } from './messages/en.ts';

const MIB_BYTES = 1024 * 1024;

/** A file that was sent before, with a form that was refused. */
export interface UploadedFile {
  readonly name: string;
}

interface FileView {
  readonly messages: Messages;
  /** The name of the input. */
  readonly input: string;
  /** The token of the uploaded file. */
  readonly typed: string;
  readonly uploaded: UploadedFile | undefined;
  readonly filesMaxBytes: number;
}

export const hintId = (id: string): string => `${id}-hint`;

/** Returns a file input that says what it accepts, and which file it has: browsers cannot show that. */
export function fileView(field: FormField, traits: Html, view: FileView): Html {
  const { messages, input, typed, uploaded, filesMaxBytes } = view;
  const max = maxBytesOf(field, filesMaxBytes);
  const kinds = (field.accept ?? FILE_KINDS).map((kind) => messages.kinds[kind]).join(', ');
  const size = messages.upTo.replace('{size}', String(Math.floor(max / MIB_BYTES)));
  return html`${
      uploaded &&
      html`<input type="hidden" name="${input}" value="${typed}" />
        <p class="uploaded"><bdi>${uploaded.name}</bdi> – ${messages.uploaded}</p>`
    }
    <input type="file" accept="${inputAcceptOf(field).join(',')}" data-max="${max}" ${traits} />
    <p class="hint" id="${hintId(`field-${field.name}`)}">${kinds}. ${size}</p>`;
}
