import type { FileRow } from './api.ts';
import { make } from './element.ts';
import { language, texts } from './texts.ts';

/** Returns the files of a message: images as previews, all others as links. */
export const messageFiles = (files: readonly FileRow[], base: string): HTMLElement[] =>
  files.map((file) => {
    const href = new URL(file.url, base).href;
    const isImage = file.type.startsWith('image/');
    const link = { class: isImage ? 'image' : 'document', href, target: '_blank' };
    const shown = isImage
      ? [make('img', { src: href, alt: file.name, loading: 'lazy' })]
      : [make('span', { class: 'name', dir: 'auto' }, file.name), ` ${sizeOf(file.size)}`];
    const spoken = make('span', { class: 'spoken' }, ` ${texts.newTab}`);
    return make('a', { ...link, rel: 'noopener noreferrer' }, ...shown, spoken);
  });

const KB = 1024;

function sizeOf(bytes: number): string {
  const isSmall = bytes < KB * KB;
  const value = isSmall ? Math.max(1, Math.round(bytes / KB)) : bytes / KB / KB;
  const text = value.toLocaleString(language, { maximumFractionDigits: 1 });
  return `${text} ${isSmall ? 'kB' : 'MB'}`;
}
