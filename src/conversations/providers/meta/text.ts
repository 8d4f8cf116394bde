import { listIn, objectOf, textIn, type Loose } from '../json-access.ts';

/**
 * The words of a message of Meta's, with what hangs on it by its links; undefined where it brings
 * nothing, as one that was taken back.
 */
export function metaText(message: Loose): string | undefined {
  if (message['is_deleted'] === true) {
    return undefined;
  }
  const words = textIn(message, 'text') || textIn(message, 'title');
  const lines = [words, ...listIn(message, 'attachments').map(attached)];
  const text = lines.filter((line) => line !== '').join('\n');
  return text || (message['is_unsupported'] === true ? UNSUPPORTED : undefined);
}

const UNSUPPORTED = '[a message that Meta does not pass on]';

function attached(attachment: Loose): string {
  const payload = objectOf(attachment['payload']);
  const words = [textIn(payload, 'title'), textIn(payload, 'url') || textIn(attachment, 'url')];
  const kind = textIn(attachment, 'type') || 'attachment';
  return [`[${kind}]`, ...words.filter((word) => word !== '')].join(' ');
}
