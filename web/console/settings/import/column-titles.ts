import type { CONTACT_COLUMNS } from './contact-columns.ts';

type ContactColumn = (typeof CONTACT_COLUMNS)[number];

/** The titles of columns in common exports, in four languages, as `plain` writes them. */
const TITLES: Readonly<Partial<Record<ContactColumn, string>>> = {
  firstName: 'first forename given givenname vorname rufname prenom nombre nombres',
  lastName:
    'last surname familyname nachname familienname zuname nom nomdefamille apellido apellidos primerapellido',
  email: `mail emailaddress emailadresse mailadresse adresseemail adressemail adresseelectronique courriel
    correo correoelectronico direcciondecorreo direcciondecorreoelectronico`,
  phone: `phonenumber telephonenumber mobile mobilephone mobilenumber cell cellphone tel telefon telefonnummer
    mobil mobilnummer mobiltelefon handy handynummer telephone telephoneportable telephonemobile portable
    numerodetelephone ndetelephone telefono telefonomovil numerodetelefono movil celular`,
  company: `companyname organization organisation firma unternehmen entreprise societe nomdelentreprise
    empresa organizacion`,
  title: 'jobtitle position funktion berufsbezeichnung fonction poste cargo puesto',
  source: 'leadsource quelle herkunft origine provenance origen fuente',
  tags: 'tag labels schlagworte schlagworter etiketten etiquettes etiquetas',
  lifecycleStage: 'stage phase etape fase etapa',
  assignedTo: 'zugewiesenan attribuea attribue asignadoa',
  dateOfBirth: `birthday birthdate dob born geburtsdatum geburtstag geboren geborenam datedenaissance naissance
    nele neele anniversaire fechadenacimiento fechanacimiento nacimiento cumpleanos`,
  timezone: 'zeitzone fuseauhoraire fuseau zonahoraria',
  additionalEmails: `moreemails otheremails otheremailaddresses weitereemails weitereemailadressen autresemails
    autresadressesemail mascorreos otroscorreos`,
  additionalPhones: `morephonenumbers otherphones otherphonenumbers weiteretelefonnummern autresnumeros
    autrestelephones mastelefonos otrostelefonos`,
  addressLine1: `address street streetaddress strasse strasseundhausnummer strassehausnummer strassenr adresse
    anschrift rue rueetnumero adressepostale direccion direccionpostal calle calleynumero domicilio`,
  city: 'town stadt ort wohnort ville commune localite ciudad localidad poblacion',
  state: `region stateorregion stateprovince province county bundesland bundeslandoderregion kanton departement
    canton estado provincia provinciaoregion comunidadautonoma`,
  postalCode: 'postcode zip zipcode plz postleitzahl codepostal cp codigopostal',
  country: 'land pays pais',
};

/** Returns a title without case, accents, spaces and punctuation. */
export const plain = (title: string): string =>
  title
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z\d]/g, '');

/** The field of each title. */
export const FIELD_OF_TITLE: ReadonlyMap<string, string> = new Map(
  Object.entries(TITLES).flatMap(([field, titles]) =>
    titles.split(/\s+/).map((title) => [title, field] as const),
  ),
);
