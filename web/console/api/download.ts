import { FrontdeskError } from '../../../sdk/src/error.ts';

/** Fetches a file of the console's API; a body is posted. Rejects with the error of a refusal. */
export async function fetchFile(subAccountId: string, path: string, body?: object): Promise<Blob> {
  const response = await fetch(`/console/api/v1${path}`, {
    headers: { 'x-sub-account-id': subAccountId, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    const body = (await response.json().catch(() => ({}))) as {
      readonly error?: { readonly code: string; readonly message: string; readonly details?: any };
    };
    const { code = 'UNREADABLE_ANSWER', message = response.statusText, details } = body.error ?? {};
    const requestId = response.headers.get('x-request-id') ?? undefined;
    throw new FrontdeskError({ code, message, status: response.status, details, requestId });
  }
  return response.blob();
}

/** Fetches a file in the same way, and saves it. */
export async function downloadFile(
  subAccountId: string,
  path: string,
  name: string,
  body?: object,
): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await fetchFile(subAccountId, path, body));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
