import type { FileRow, Refusal } from './api.ts';

/** The result of an upload. */
export type Uploaded =
  | { readonly data: FileRow; readonly refusal?: undefined }
  | { readonly data?: undefined; readonly refusal: Refusal };

/** An upload may take long on a slow line. */
const TIMEOUT_MS = 300_000;

/** Uploads a file. `fetch` does not report the progress of an upload. Never rejects. */
export function uploadFile(
  url: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Uploaded> {
  const request = new XMLHttpRequest();
  request.open('POST', url);
  request.timeout = TIMEOUT_MS;
  request.responseType = 'json';
  request.setRequestHeader('content-type', file.type || 'application/octet-stream');
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    onProgress(total > 0 ? loaded / total : 0);
  });
  signal.addEventListener('abort', () => request.abort());
  return new Promise((resolve) => {
    request.addEventListener('loadend', () => {
      const { status } = request;
      const { data } = (request.response ?? {}) as { readonly data?: FileRow };
      const waitS = Number(request.getResponseHeader('retry-after') ?? 0);
      resolve(data && status === 201 ? { data } : { refusal: { status, waitS } });
    });
    request.send(file);
  });
}
