import PostalMime from 'postal-mime';

/** Parses a mail as a mail program does. */
export async function readBack(raw: Buffer) {
  const { headers, subject = '', html = '', text = '' } = await PostalMime.parse(raw);
  return {
    headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])) as Record<
      string,
      string
    >,
    subject,
    html,
    text,
  };
}
