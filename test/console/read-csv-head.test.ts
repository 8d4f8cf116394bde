import { describe, expect, test } from 'vitest';
import { guessColumns } from '../../web/console/settings/import/contact-columns.ts';
import { decodeFile } from '../../web/console/settings/import/decode-file.ts';
import { readCsvHead } from '../../web/console/settings/import/read-csv-head.ts';

describe('the first rows of a CSV', () => {
  test.each<[string, string[][]]>([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa;b\r\n1;2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\n1\t',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    [
      '"a,b",c\n"x\ny","""z"""\n',
      [
        ['a,b', 'c'],
        ['x\ny', '"z"'],
      ],
    ],
    [
      'a,b\n\n , \n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2\n3,4\n5,6\n',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['a,b\n"open', [['a', 'b'], ['open']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(readCsvHead(text, 3)).toEqual(rows);
  });
});

test('columns are found by their titles, each one once', () => {
  const titles = ['Vorname', 'Last name', 'E-Mail', 'mail', 'Notiz', 'insurance', 'tags'];
  expect(guessColumns(titles, [{ name: 'insurance', label: 'Policy' }])).toEqual([
    'firstName',
    'lastName',
    'email',
    '',
    '',
    'customFields.insurance',
    'tags',
  ]);
});

test('a column is found by the label of a custom field', () => {
  const fields = [{ name: 'policyNumber', label: 'Numéro de police' }];
  expect(guessColumns(['NUMERO DE POLICE', ''], fields)).toEqual(['customFields.policyNumber', '']);
});

test.each([
  [
    'de',
    'Vorname Nachname E-Mail-Adresse Telefonnummer Firma Geburtsdatum Straße PLZ Ort Bundesland Land',
  ],
  [
    'fr',
    'Prénom Nom Courriel Téléphone Entreprise Date_de_naissance Rue Code_postal Ville Région Pays',
  ],
  [
    'es',
    'Nombre Apellidos Correo_electrónico Teléfono Empresa Fecha_de_nacimiento Calle Código_postal Ciudad Provincia País',
  ],
  ['en', 'First Surname Mail Mobile Organisation Birthday Street ZIP Town Province Country'],
])('the usual titles of the language %s are known', (_, titles) => {
  const header = titles.split(' ').map((title) => title.replaceAll('_', ' '));
  expect(guessColumns(header, [])).toEqual([
    'firstName',
    'lastName',
    'email',
    'phone',
    'company',
    'dateOfBirth',
    'addressLine1',
    'postalCode',
    'city',
    'state',
    'country',
  ]);
});

test.each(['Birthday', 'Date of birth', 'Geburtstag', 'Né(e) le', 'DOB'])(
  '%s is the date of birth',
  (title) => {
    expect(guessColumns([title], [])).toEqual(['dateOfBirth']);
  },
);

describe('a file', () => {
  const read = async (bytes: readonly number[]) => {
    const { file, encoding } = await decodeFile(new Blob([Uint8Array.from(bytes)]));
    return [encoding, await file.text()];
  };

  test('in UTF-8 stays as it is', async () => {
    expect(await read([...Buffer.from('Prénom €')])).toEqual(['utf-8', 'Prénom €']);
    expect(await read([])).toEqual(['utf-8', '']);
  });

  test('in Windows-1252 is turned into UTF-8', async () => {
    const bytes = [...Buffer.from('Prénom;Œuvre ', 'latin1'), 0x80];
    bytes[7] = 0x8c;
    expect(await read(bytes)).toEqual(['windows-1252', 'Prénom;Œuvre €']);
  });

  test('in UTF-16 is turned into UTF-8', async () => {
    const little = Buffer.from('\uFEFFPrénom', 'utf16le');
    expect(await read([...little])).toEqual(['utf-16', 'Prénom']);
    expect(await read([...little.swap16()])).toEqual(['utf-16', 'Prénom']);
  });

  test('that is no text stays as it is, for the server to refuse', async () => {
    const bytes = Uint8Array.from([0x50, 0x4b, 0x03, 0x00, 0xff]);
    const { file, encoding } = await decodeFile(new Blob([bytes]));
    expect([encoding, await file.bytes()]).toEqual(['utf-8', bytes]);
  });
});
