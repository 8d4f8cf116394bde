import type { Operation } from './operation.ts';

/** The languages of the samples. */
type Language = 'sh' | 'ts' | 'python' | 'php';

export interface SignedCall {
  readonly url: string;
  readonly header: string;
  /** The body as a literal of the language; in the shell, as JSON. */
  readonly body: string;
}

/** The header with the signature of a call that is signed in hex; undefined for other calls. */
export const signatureHeader = ({ kind, body, parameters }: Operation): string | undefined =>
  kind === 'signed' && body?.type === 'application/json'
    ? parameters.find((one) => one.in === 'header' && one.name.endsWith('-Signature'))?.name
    : undefined;

/** Returns a call with its signature: the secret is read from `SIGNING_SECRET`. */
export const signedSample = (language: Language, call: SignedCall): string =>
  SAMPLES[language](call);

const SAMPLES: Readonly<Record<Language, (call: SignedCall) => string>> = {
  sh: ({ url, header, body }) => `BODY='${body.replaceAll("'", String.raw`'\''`)}'
SIGNATURE=$(printf %s "$BODY" | openssl dgst -sha256 -hmac "$SIGNING_SECRET" | sed 's/.* //')
curl "${url}" \\
  -H "Content-Type: application/json" \\
  -H "${header}: sha256=$SIGNATURE" \\
  -d "$BODY"`,

  ts: ({ url, header, body }) => `import { createHmac } from 'node:crypto';

const body = JSON.stringify(${body});
const hmac = createHmac('sha256', process.env.SIGNING_SECRET ?? '').update(body);
const response = await fetch('${url}', {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',
    '${header}': \`sha256=\${hmac.digest('hex')}\`,
  },
  body,
});
console.log(response.status, await response.text());`,

  python: ({ url, header, body }) => `import hashlib
import hmac
import json
import os
import requests

body = json.dumps(${body}).encode()
secret = os.environ["SIGNING_SECRET"].encode()
signature = hmac.new(secret, body, hashlib.sha256).hexdigest()
response = requests.post(
    "${url}",
    data=body,
    headers={"Content-Type": "application/json", "${header}": "sha256=" + signature},
    timeout=30,
)
response.raise_for_status()
print(response.json())`,

  php: ({ url, header, body }) => `<?php
$body = json_encode(${body});
$signature = hash_hmac('sha256', $body, getenv('SIGNING_SECRET'));
$curl = curl_init('${url}');
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'Content-Type: application/json',
        '${header}: sha256=' . $signature,
    ],
    CURLOPT_POSTFIELDS => $body,
]);
print_r(json_decode(curl_exec($curl), true));`,
};
