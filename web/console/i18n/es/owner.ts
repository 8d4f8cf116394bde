import type { OwnerMessages } from '../message-types.ts';
import { esAudit } from './audit.ts';

export const esOwner: OwnerMessages = {
  manifest: {
    restored: 'Su texto sin guardar ha vuelto',
    restoredText:
      'Aún no está guardado. Se queda en esta pestaña del navegador hasta que lo guarde o lo descarte.',
    discardText: 'Descartar mi texto',
    lossTitle: '¿Guardar y eliminar esto?',
    lossText: 'El texto ya no lo contiene. Al guardar se elimina; no se puede deshacer.',
  },
  audit: esAudit,
  links: {
    noLink:
      'Esta persona ya ha entrado antes o tiene acceso a más subcuentas, por eso no se le muestra el enlace. Si el correo está configurado, se le envía uno; si no, lo crea un propietario en Agencia, Usuarios.',
    create: 'Enlace de acceso nuevo',
    title: (name) => `¿Enlace de acceso nuevo para ${name}?`,
    text: 'El enlace funciona una vez, durante 24 horas, y da acceso a cualquiera que lo abra: envíelo solo a esta persona.',
    textShort:
      'El enlace funciona una vez, durante 15 minutos, y da acceso a cualquiera que lo abra: envíelo solo a esta persona.',
    shown: 'Enlace de acceso',
    shownText: (email) => `${email} puede entrar con este enlace. Solo se muestra ahora.`,
    isMailed: 'Se le envía otro enlace por correo: no hace falta que le pase este.',
    notMailed: 'No se envía ningún correo: pase usted el enlace.',
  },
  roles: {
    owner: 'Todo, en cada subcuenta de la instalación.',
    admin:
      'Todo en esta subcuenta, con ajustes, claves de API y equipo. Exporta contactos y borra a personas.',
    agent:
      'Trabaja con contactos, conversaciones, citas, oportunidades y tareas. Combina contactos y elimina contactos, oportunidades y tareas. Sin campañas, flujos, ajustes, importación ni exportación.',
    viewer: 'Ve lo mismo que los agentes, pero no cambia ni elimina nada.',
    integrator: 'Solo tiene la página Webhooks: para conectar otro programa.',
  },
  keys: {
    preset: 'Finalidad',
    noPreset: 'Otra: marque los permisos de abajo',
    presets: {
      booking: 'Bot de reservas',
      support: 'Bot de atención',
      sync: 'Sincronización con otro sistema',
      reports: 'Informes (solo lectura)',
    },
    resources: {
      contacts: 'Contactos',
      conversations: 'Conversaciones',
      availability: 'Calendarios',
      appointments: 'Citas',
      opportunities: 'Oportunidades',
      tasks: 'Tareas',
      campaigns: 'Campañas',
      webhooks: 'Webhooks',
      'service-types': 'Lista de precios',
      'booking-estimates': 'Presupuestos',
      'booking-appointments': 'Citas de clientes verificados',
    },
  },
  health: {
    none: 'Sin problemas: todas las comprobaciones están bien.',
  },
  general: {
    tab: 'General',
    brand: 'Marca',
    brandHint: 'El nombre que ve la clientela. Vacío: el nombre de la subcuenta.',
    logo: 'Dirección del logotipo',
    logoHint: 'Una dirección que empieza por https://',
    locale: 'Idioma de las páginas y mensajes para clientes',
    currencyHint: 'Por ejemplo EUR, USD o GBP',
    customers: 'Lo que ve la clientela',
    customersText:
      'La marca y el color se aplican a las páginas de reservas, los formularios y las confirmaciones. Se aplican al chat mientras Ajustes → Chat no tenga un título o un color propios. Las campañas tienen el aspecto de su plantilla (Ajustes → Manifiesto).',
  },
  team: {
    text: 'Los usuarios entran en la consola. Las citas, conversaciones y tareas se asignan a miembros del equipo. Para que un usuario lo sea, abra el menú al final de su fila y elija «Convertir en miembro del equipo». Los miembros que no entran en la consola se indican en el manifiesto, en «team» (Ajustes → Manifiesto).',
    assignable: 'Asignable',
    yes: 'Sí',
    no: 'No',
    make: 'Convertir en miembro del equipo',
    link: (name) => `Es el miembro del equipo ${name}`,
    made: (name) => `Ahora se puede asignar a ${name}`,
  },
  subAccounts: {
    language: 'Idioma de las páginas y mensajes para clientes',
    noZone: 'No se encontró ninguna zona horaria',
    closeEffects: [
      'Las páginas de reservas, los formularios y el chat de los sitios web dejan de funcionar al instante.',
      'Los miembros y las claves de API pierden el acceso.',
      'Campañas, flujos y recordatorios se detienen: no se envía nada más.',
      'Las citas reservadas quedan en los datos, pero los clientes ya no pueden moverlas ni cancelarlas.',
      'No se puede volver a abrir en la consola. Los datos quedan hasta que se borren en el servidor con «frontdesk admin sub-account purge».',
    ],
    nameDiffers: 'El nombre todavía no coincide.',
  },
};
