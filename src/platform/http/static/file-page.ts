import { definePageEndpoint } from '#core/endpoint/page-endpoint.ts';
import type { ReadWebFile } from './web-file.ts';

/** A new release reaches every visitor within so long. */
const SHORTLY = 'public, max-age=300';

interface FilePage {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly type: string;
  readonly file: ReadWebFile;
  /** Besides those of every such file. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A style sheet or a script that pages load, the same for everybody. */
export const filePage = ({ file, type, headers: more, ...where }: FilePage) =>
  definePageEndpoint({
    ...where,
    method: 'GET',
    async read() {
      const { bytes, etag } = await file();
      const headers = { ...more, etag, 'cache-control': SHORTLY };
      return { data: null, document: { type, body: bytes, headers } };
    },
  });
