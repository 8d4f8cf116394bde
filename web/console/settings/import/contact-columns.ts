/** What a column may hold, besides custom fields. */
export const CONTACT_COLUMNS = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'company',
  'title',
  'source',
  'tags',
  'lifecycleStage',
  'assignedTo',
  'dateOfBirth',
  'timezone',
  'additionalEmails',
  'additionalPhones',
  'addressLine1',
  'city',
  'state',
  'postalCode',
  'country',
  'id',
] as const;

/** Other names of common exports, in four languages, without case, spaces and punctuation. */
const OTHER_NAMES: Readonly<Record<string, (typeof CONTACT_COLUMNS)[number]>> = {
  vorname: 'firstName',
  prenom: 'firstName',
  nombre: 'firstName',
  given: 'firstName',
  givenname: 'firstName',
  first: 'firstName',
  nachname: 'lastName',
  nom: 'lastName',
  apellidos: 'lastName',
  apellido: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
  last: 'lastName',
  mail: 'email',
  emailaddress: 'email',
  correo: 'email',
  telefon: 'phone',
  telephone: 'phone',
  telefono: 'phone',
  mobile: 'phone',
  phonenumber: 'phone',
  firma: 'company',
  entreprise: 'company',
  empresa: 'company',
  stadt: 'city',
  ville: 'city',
  ciudad: 'city',
  plz: 'postalCode',
  zip: 'postalCode',
  zipcode: 'postalCode',
  land: 'country',
  pays: 'country',
  pais: 'country',
  strasse: 'addressLine1',
  street: 'addressLine1',
  address: 'addressLine1',
};

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z\d]/g, '');

/** Returns the contact's member for each column of a file; '' leaves a column out. */
export function guessColumns(header: readonly string[], customFields: readonly string[]): string[] {
  const known = [...CONTACT_COLUMNS, ...customFields.map((name) => `customFields.${name}`)];
  const used = new Set<string>();
  return header.map((title) => {
    const wanted = title.trim();
    const found =
      known.find((name) => name === wanted) ??
      known.find((name) => plain(name.replace('customFields.', '')) === plain(wanted)) ??
      OTHER_NAMES[plain(wanted)] ??
      '';
    const isFree = !used.has(found);
    used.add(found);
    return isFree ? found : '';
  });
}
