import type { Operation } from './operation.ts';

/** The languages of the samples. */
type Language = 'sh' | 'ts' | 'python' | 'php';

/** The headers of a signed call. */
export interface SignatureHeaders {
  /** Signs the body. */
  readonly body: string;
  /** The time of the call, and the signature of the time and the body. */
  readonly timed?: { readonly time: string; readonly signature: string } | undefined;
}

export interface SignedCall {
  readonly url: string;
  readonly headers: SignatureHeaders;
  /** The body as a literal of the language; in the shell, as JSON. */
  readonly body: string;
}

/**
 * Returns the headers with the signatures of a call that is signed in hex, and those that protect it
 * against replays if the endpoint accepts them; undefined for other calls.
 */
export function signatureHeaders({
  kind,
  body,
  parameters,
}: Operation): SignatureHeaders | undefined {
  if (kind !== 'signed' || body?.type !== 'application/json') {
    return undefined;
  }
  const ending = (end: string) =>
    parameters.find((one) => one.in === 'header' && one.name.endsWith(end))?.name;
  const [plain, time, signature] = ['-Signature', '-Timestamp', '-Signature-V2'].map(ending);
  return plain === undefined
    ? undefined
    : { body: plain, timed: time && signature ? { time, signature } : undefined };
}

/** Returns a call with its signatures: the secret is read from `SIGNING_SECRET`. */
export const signedSample = (language: Language, call: SignedCall): string =>
  SAMPLES[language](call);

const SAMPLES: Readonly<Record<Language, (call: SignedCall) => string>> = {
  sh: ({ url, headers: { body: header, timed }, body }) =>
    lines(
      `BODY='${body.replaceAll("'", String.raw`'\''`)}'`,
      timed && 'NOW=$(date +%s)000',
      `sign() { openssl dgst -sha256 -hmac "$SIGNING_SECRET" | sed 's/.* //'; }`,
      `curl "${url}" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -H "${header}: sha256=$(printf %s "$BODY" | sign)" \\`,
      timed && `  -H "${timed.time}: $NOW" \\`,
      timed && `  -H "${timed.signature}: sha256=$(printf %s "$NOW.$BODY" | sign)" \\`,
      `  -d "$BODY"`,
    ),

  ts: ({ url, headers: { body: header, timed }, body }) =>
    lines(
      `import { createHmac } from 'node:crypto';`,
      '',
      'const sign = (text: string) =>',
      "  `sha256=${createHmac('sha256', process.env.SIGNING_SECRET ?? '').update(text).digest('hex')}`;",
      `const body = JSON.stringify(${body});`,
      timed && 'const now = String(Date.now());',
      `const response = await fetch('${url}', {`,
      `  method: 'POST',`,
      '  headers: {',
      `    'Content-Type': 'application/json',`,
      `    '${header}': sign(body),`,
      timed && `    '${timed.time}': now,`,
      timed && `    '${timed.signature}': sign(\`\${now}.\${body}\`),`,
      '  },',
      '  body,',
      '});',
      'console.log(response.status, await response.text());',
    ),

  python: ({ url, headers: { body: header, timed }, body }) =>
    lines(
      'import hashlib',
      'import hmac',
      'import json',
      'import os',
      'import requests',
      timed && 'import time',
      '',
      'def sign(content):',
      '    secret = os.environ["SIGNING_SECRET"].encode()',
      '    return "sha256=" + hmac.new(secret, content, hashlib.sha256).hexdigest()',
      '',
      `body = json.dumps(${body}).encode()`,
      timed && 'now = str(time.time_ns() // 1_000_000)',
      'response = requests.post(',
      `    "${url}",`,
      '    data=body,',
      '    headers={',
      '        "Content-Type": "application/json",',
      `        "${header}": sign(body),`,
      timed && `        "${timed.time}": now,`,
      timed && `        "${timed.signature}": sign(f"{now}.".encode() + body),`,
      '    },',
      '    timeout=30,',
      ')',
      'response.raise_for_status()',
      'print(response.json())',
    ),

  php: ({ url, headers: { body: header, timed }, body }) =>
    lines(
      '<?php',
      `$sign = fn ($text) => 'sha256=' . hash_hmac('sha256', $text, getenv('SIGNING_SECRET'));`,
      `$body = json_encode(${body});`,
      timed && '$now = (string) (int) (microtime(true) * 1000);',
      `$curl = curl_init('${url}');`,
      'curl_setopt_array($curl, [',
      '    CURLOPT_RETURNTRANSFER => true,',
      '    CURLOPT_HTTPHEADER => [',
      `        'Content-Type: application/json',`,
      `        '${header}: ' . $sign($body),`,
      timed && `        '${timed.time}: ' . $now,`,
      timed && `        '${timed.signature}: ' . $sign("$now.$body"),`,
      '    ],',
      '    CURLOPT_POSTFIELDS => $body,',
      ']);',
      'print_r(json_decode(curl_exec($curl), true));',
    ),
};

const lines = (...all: readonly (string | undefined)[]): string =>
  all.filter((line) => line !== undefined).join('\n');
