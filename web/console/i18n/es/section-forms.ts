import type { SectionFormMessages } from '../message-types.ts';

export const esSectionForms: SectionFormMessages = {
  newCalendar: 'Calendario nuevo',
  newForm: 'Formulario nuevo',
  noCalendars: 'Aún no hay calendarios',
  noCalendarsText:
    'Un calendario tiene horarios, miembros y los servicios que la clientela reserva en sus propias páginas.',
  noForms: 'Aún no hay formularios',
  noFormsText:
    'Un formulario se rellena en su propia página o en su sitio web; cada envío se convierte en un contacto.',
  kind: 'Quién da las citas',
  kinds: {
    personal: 'Una sola persona',
    'round-robin': 'Cualquier miembro que esté libre',
    collective: 'Todos los miembros juntos',
    class: 'Una clase con varias plazas',
  },
  members: 'Miembros',
  noTeam:
    'Todavía no hay miembros del equipo. En la pestaña Equipo, abra el menú al final de la fila de un usuario y elija «Convertir en miembro del equipo».',
  ownHours: 'horario propio',
  zoneHint: (zone) => `Como la subcuenta: ${zone}`,
  noZone: 'No se encontró ninguna zona horaria',
  services: 'Servicios reservables',
  addService: 'Servicio reservable nuevo',
  noServices:
    'Todavía no se puede reservar: añada un servicio, por ejemplo «Primera visita», 30 minutos.',
  minutes: (count) => `${count} min`,
  duration: 'Duración, en minutos',
  priceHint: 'Aparece en la página de reservas. Vacío: sin precio.',
  location: 'Lugar',
  seats: 'Plazas',
  canBeBooked: 'Se puede reservar',
  notBookable: 'no se puede reservar',
  removeService:
    'Su página de reservas termina al guardar. Las citas pasadas se conservan; un servicio con citas próximas no se elimina.',
  hours: 'Horario',
  hoursHint: 'Por ejemplo 09:00-12:00, 13:00-17:00',
  rules: 'Reglas de las reservas',
  noticeHint:
    'Con 120, la primera cita que se puede reservar es dentro de dos horas. Vacío: sin mínimo.',
  advanceHint: 'Con 30, se pueden reservar los próximos 30 días. Vacío: sin límite.',
  removeCalendar: (services) =>
    `Se eliminan el calendario y su horario, y terminan las páginas de reservas de sus servicios: ${services}. Las citas pasadas se conservan. Un calendario con citas próximas no se elimina.`,
  removeEmptyCalendar: 'Se eliminan el calendario y su horario. Las citas pasadas se conservan.',
  removeForm: (fields) =>
    `Su página termina, y los sitios web que lo muestran ya no muestran nada. Se eliminan sus campos: ${fields}. Los envíos se conservan.`,
  fields: 'Campos',
  addField: 'Campo nuevo',
  noFields: 'Un formulario necesita al menos un campo.',
  label: 'Etiqueta',
  type: 'Tipo',
  types: {
    text: 'Texto',
    textarea: 'Texto largo',
    email: 'Dirección de correo',
    phone: 'Número de teléfono',
    number: 'Número',
    select: 'Opción',
    checkbox: 'Casilla',
    date: 'Fecha',
    url: 'Dirección web',
    file: 'Archivo',
  },
  required: 'Obligatorio',
  options: 'Opciones, separadas por comas',
  mapsTo: 'Se guarda en el contacto como',
  submissionOnly: 'Solo en el envío',
  custom: (label) => `Campo propio ${label}`,
  message: 'Mensaje',
  removeField:
    'Al guardar, el formulario deja de preguntarlo. Las respuestas ya enviadas se conservan.',
  unnamed: 'Sin nombre',
  up: (name) => `Subir ${name}`,
  down: (name) => `Bajar ${name}`,
  close: (name) => `Cerrar ${name}`,
};
