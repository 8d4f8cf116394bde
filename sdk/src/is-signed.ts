const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Returns whether `sha256=<hex>` is the HMAC of the content under one of the secrets, in constant
 * time.
 */
export async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  signature: string | undefined,
  secrets: readonly string[],
): Promise<boolean> {
  const given = bytesOf(signature);
  if (!given) {
    return false;
  }
  for (const secret of secrets) {
    if (await isSignedWith(secret, given, content)) {
      return true;
    }
  }
  return false;
}

async function isSignedWith(
  secret: string,
  given: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { subtle } = crypto;
  const bytes = new TextEncoder().encode(secret);
  const key = await subtle.importKey('raw', bytes, HMAC, false, ['verify']);
  return subtle.verify(HMAC, key, given, content);
}

function bytesOf(signature = ''): Uint8Array<ArrayBuffer> | undefined {
  const hex = /^sha256=([\da-f]{64})$/.exec(signature)?.[1];
  return hex === undefined
    ? undefined
    : Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
        Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
      );
}
