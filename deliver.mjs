const n = Number(process.argv[2]);
for (let i = 0; i < n; i++) {
  const raw =
    `From: k${i % 7}@kill.example\r\nTo: hello@harbour.example\r\nSubject: k${i}\r\nMessage-ID: <k${i}-${process.argv[3]}@kill.example>\r\nDate: ${new Date().toUTCString()}\r\n\r\nkill ${process.argv[3]} ${i}\r\n` +
    (i % 5 === 0 ? 'z'.repeat(900).concat('\r\n').repeat(300) : '');
  const r = await fetch('http://127.0.0.1:7130/deliver', {
    method: 'POST',
    body: raw,
    headers: { connection: 'close' },
  });
  if (r.status !== 200) console.log(i, await r.text());
}
console.log('delivered', n);
