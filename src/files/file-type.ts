/**
 * The accepted types by the type that `file-type` detects, each with its file name extensions; the
 * first one is added to a name that has none of them. Only these are ever stored or served.
 */
const DETECTED: Readonly<Record<string, readonly [type: string, ...extensions: string[]]>> = {
  'image/png': ['image/png', 'png'],
  'image/jpeg': ['image/jpeg', 'jpg', 'jpeg', 'jfif'],
  'image/gif': ['image/gif', 'gif'],
  'image/webp': ['image/webp', 'webp'],
  'application/pdf': ['application/pdf', 'pdf'],
  'audio/mpeg': ['audio/mpeg', 'mp3'],
  'audio/ogg': ['audio/ogg', 'ogg', 'oga', 'opus'],
  'audio/ogg; codecs=opus': ['audio/ogg', 'ogg', 'oga', 'opus'],
  'audio/mp4': ['audio/mp4', 'm4a', 'mp4'],
  'audio/x-m4a': ['audio/mp4', 'm4a', 'mp4'],
  'audio/amr': ['audio/amr', 'amr'],
  'video/mp4': ['video/mp4', 'mp4', 'm4v'],
  'video/3gpp': ['video/3gpp', '3gp'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'docx',
  ],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'xlsx',
  ],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'pptx',
  ],
  'application/vnd.oasis.opendocument.text': ['application/vnd.oasis.opendocument.text', 'odt'],
  'application/vnd.oasis.opendocument.spreadsheet': [
    'application/vnd.oasis.opendocument.spreadsheet',
    'ods',
  ],
  'application/vnd.oasis.opendocument.presentation': [
    'application/vnd.oasis.opendocument.presentation',
    'odp',
  ],
};

/** Documents of older Office versions share one container: the declared type tells them apart. */
const OLD_OFFICE: typeof DETECTED = {
  'application/msword': ['application/msword', 'doc'],
  'application/vnd.ms-excel': ['application/vnd.ms-excel', 'xls'],
  'application/vnd.ms-powerpoint': ['application/vnd.ms-powerpoint', 'ppt'],
};

/** Texts have no magic bytes: they are taken as declared, if they are texts. */
const TEXTS: typeof DETECTED = {
  'text/plain': ['text/plain', 'txt', 'text', 'log', 'md'],
  'text/csv': ['text/csv', 'csv'],
  'text/calendar': ['text/calendar', 'ics'],
  'text/vcard': ['text/vcard', 'vcf'],
  'text/x-vcard': ['text/vcard', 'vcf'],
};

/** Kinds of files that people tell apart. */
export const FILE_KINDS = ['images', 'pdf', 'documents', 'text', 'audio', 'video'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const KIND_OF_FAMILY: Readonly<Record<string, FileKind>> = {
  image: 'images',
  text: 'text',
  audio: 'audio',
  video: 'video',
};

const kindOf = (type: string): FileKind =>
  type === 'application/pdf' ? 'pdf' : (KIND_OF_FAMILY[type.split('/')[0] ?? ''] ?? 'documents');

/** Returns the accepted types of the given kinds, with their extensions. */
export function typesOf(kinds: readonly FileKind[]): readonly KnownType[] {
  const entries = [DETECTED, OLD_OFFICE, TEXTS].flatMap((table) => Object.values(table));
  const types = new Map(entries.map(([type, ...extensions]) => [type, { type, extensions }]));
  return [...types.values()].filter(({ type }) => kinds.includes(kindOf(type)));
}

/** The types that browsers may show: images that cannot contain scripts. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const isShownInline = (type: string): boolean => SHOWN.has(type);

/** The accepted types, in words. */
export const ACCEPTED =
  'images (PNG, JPEG, GIF, WebP), PDF, plain text, CSV, calendar and contact files (ICS, VCF), Office documents, and audio and video (MP3, OGG, M4A, AMR, MP4, 3GP)';

export interface KnownType {
  readonly type: string;
  readonly extensions: readonly string[];
}

/**
 * Returns the type of a content by its bytes, whatever its sender calls it; undefined if it is not
 * accepted. The declared type counts only where bytes say too little: for texts and old documents.
 */
export async function detectType(
  bytes: Uint8Array,
  declared: { readonly name: string; readonly type: string },
): Promise<KnownType | undefined> {
  // On demand: it takes 20 ms, and most processes never need it.
  const { fileTypeFromBuffer } = await import('file-type');
  // A broken archive may make the parser throw.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found?.mime === 'application/x-cfb') {
    return known(entryFor(OLD_OFFICE, declared));
  }
  if (found) {
    return known(DETECTED[found.mime] ?? TEXTS[found.mime]);
  }
  return isText(bytes) ? known(entryFor(TEXTS, declared)) : undefined;
}

/** Types that say nothing: the name's extension counts then. */
const SAYS_NOTHING = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

function entryFor(table: typeof DETECTED, { name, type }: Parameters<typeof detectType>[1]) {
  const [declared = ''] = type.toLowerCase().split(';');
  if (!SAYS_NOTHING.has(declared.trim())) {
    return table[declared.trim()];
  }
  const extension = name.toLowerCase().split('.').at(-1) ?? '';
  return Object.values(table).find(([, ...extensions]) => extensions.includes(extension));
}

const known = (entry: (typeof DETECTED)[string] | undefined): KnownType | undefined => {
  const [type, ...extensions] = entry ?? [];
  return type === undefined ? undefined : { type, extensions };
};

/** Control characters that texts contain: tab, line feed, form feed, carriage return and escape. */
const OF_TEXTS = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b]);
const SPACE = 0x20;

/** Any encoding of one byte or UTF-8: exported tables are often in neither ASCII nor UTF-8. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte >= SPACE || OF_TEXTS.has(byte));
