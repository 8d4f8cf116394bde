import { fetchFile } from '../api/download.ts';
import { heightOf, type FilledFrame } from './fill-mail-frame.ts';

/** More addresses than a mail for people has. */
const ADDRESSES_MAX = 100;

interface LoadImagesInput {
  readonly frame: HTMLIFrameElement;
  readonly images: FilledFrame['images'];
  readonly subAccountId: string;
  /** The path of the message. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onHeight: (height: number) => void;
}

/**
 * Shows the images of a mail that are on other servers. This server fetches them, so that their senders do
 * not see the reader. An image that cannot be loaded stays its description.
 */
export async function loadImages({ frame, images, ...input }: LoadImagesInput): Promise<void> {
  const { subAccountId, path, signal, onHeight } = input;
  const body = frame.contentDocument?.body;
  const elements = [...(body?.querySelectorAll('img') ?? [])];
  const addresses = [...new Set(images.filter((one) => one !== undefined))];
  for (const address of addresses.slice(0, ADDRESSES_MAX)) {
    const query = new URLSearchParams({ url: address });
    // One after the other: the rate of the session is also that of the page.
    const content = await fetchFile(subAccountId, `${path}/image?${query}`).catch(() => undefined);
    if (signal.aborted) {
      return;
    }
    if (content) {
      const url = URL.createObjectURL(content);
      signal.addEventListener('abort', () => URL.revokeObjectURL(url), { once: true });
      for (const [index, image] of elements.entries()) {
        if (images[index] === address) {
          image.style.maxWidth = '100%';
          image.addEventListener('load', () => body && onHeight(heightOf(body)), { once: true });
          image.src = url;
        }
      }
    }
  }
}
