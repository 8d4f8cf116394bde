import type { CampaignMessages } from '../message-types.ts';
import { pluralIn } from '../plural.ts';

const plural = pluralIn('es');

export const esCampaigns: CampaignMessages = {
  compose: {
    newCampaign: 'Nueva campaña',
    editDraft: 'Editar el borrador',
    edit: 'Editar',
    nameHint: 'Solo lo ve su equipo, no los destinatarios.',
    list: 'Lista',
    listHint:
      'Una lista selecciona contactos por etiqueta o etapa, o contiene los de una importación. Las listas se añaden en Ajustes → Manifiesto, en «lists».',
    addList: 'Añadir una lista',
    template: 'Plantilla',
    preheader: 'Texto de vista previa',
    preheaderHint: 'Los buzones lo muestran junto al asunto.',
    content: 'Contenido',
    textHint:
      'Las líneas en blanco separan párrafos. Campos: {{firstName}}, {{lastName}}, {{fullName}}, o con un texto alternativo {{firstName|amigo}}.',
    htmlHint:
      'El HTML que la plantilla recibe como contenido. Campos: {{firstName}}, o con un texto alternativo {{firstName|amigo}}.',
    writeHtml: 'Escribir HTML',
    save: 'Guardar borrador',
    saved: 'Borrador guardado',
    unsubscribed: 'Bajas',
    hasUnsubscribed: 'Se dio de baja',
    opens: 'No se registran aperturas ni clics.',
    notReady: 'Una campaña necesita una plantilla y una lista',
    notReadyText:
      'La plantilla y la lista se añaden en el manifiesto, en las secciones templates y lists.',
    desktop: 'Escritorio',
    phone: 'Teléfono',
    plainText: 'Texto',
    audience: 'Audiencia',
    leftOut: 'Quién queda fuera',
    test: 'Enviar correo de prueba',
    sendNow: 'Enviar ahora',
    schedule: 'Programar',
    unschedule: 'Anular la programación',
    changes: {
      pause: 'Campaña en pausa',
      resume: 'Campaña reanudada',
      unschedule: 'Programación anulada',
      cancel: 'Campaña cancelada',
    },
    unknownFields: 'Campos desconocidos',
    emptyField: (field) => `${field} no es un campo conocido y queda vacío.`,
    fallbackField: (field, fallback) =>
      `${field} no es un campo conocido: todos ven «${fallback}».`,
    sendAt: 'Enviar el',
    noRecall: 'Los correos enviados no se pueden recuperar.',
    started: 'La campaña se está enviando',
    isScheduled: 'Campaña programada',
    overTime: 'Correos a lo largo del tiempo',
    all: 'Campañas',
    recurring: 'Recurrentes',
    repeats: 'Repetición',
    nextRun: 'Próximo envío',
    lastRun: 'Último envío',
    paused: 'En pausa',
    actions: 'Acciones',
    noRecurring: 'Aún no hay campañas recurrentes',
    noRecurringText: 'Una campaña recurrente se envía cada mes, cada semana o cada día.',
    when: 'Inicio',
    reasons: {
      no_email: 'Sin correo electrónico',
      do_not_disturb: 'No molestar',
      opted_out: 'Dirección bloqueada',
    },
    gets: (count) =>
      plural(count, {
        one: '# contacto recibe este correo.',
        other: '# contactos reciben este correo.',
      }),
    isLeftOut: (count, contacts) =>
      plural(count, {
        one: `De ${contacts} en la lista, # queda fuera.`,
        other: `De ${contacts} en la lista, # quedan fuera.`,
      }),
    sendMails: (count) => plural(count, { one: 'Enviar # correo', other: 'Enviar # correos' }),
    firstOnly: (count) =>
      plural(count, {
        one: 'Solo se muestra el primero.',
        other: 'Solo se muestran los primeros #.',
      }),
    testSent: (email) => `Correo de prueba enviado a ${email}`,
    scheduledFor: (time) => `Programada para ${time}`,
    sendTitle: (name) => `¿Enviar «${name}» ahora?`,
    scheduleText: (zone) =>
      `Zona horaria: ${zone}. Los destinatarios se determinan cuando empieza la campaña.`,
    captured: 'Capturado',
    capturedTitle: 'Correo de prueba capturado',
    capturedText: (email) =>
      `Esta subcuenta es un entorno de pruebas: el correo a ${email} no se envió. Tendría este aspecto. Los correos de prueba no se guardan.`,
    sandboxHint: 'Esta subcuenta es un entorno de pruebas: los correos se capturan, no se envían.',
    unknownHint:
      'Incierto: la conexión se cortó antes de que el servidor de correo respondiera. Estos correos no se envían dos veces.',
    search: 'Buscar por nombre o dirección',
    keep: 'Conservar la campaña',
    sentOf: (sent, total) => `${sent} de ${total} correos enviados`,
    capturedOf: (sent, total) => `${sent} de ${total} correos capturados`,
    notSent: (count) => plural(count, { one: '# sin enviar', other: '# sin enviar' }),
    leftOutAtStart: (count) =>
      plural(count, {
        one: '# contacto quedó fuera al empezar.',
        other: '# contactos quedaron fuera al empezar.',
      }),
    actionOf: (action, name) => `${action}: ${name}`,
    startedAt: 'Iniciada:',
    mails: 'Correos enviados',
    mail: 'Correo',
    showMail: 'Ver correo',
    duplicate: 'Duplicar',
    deleteDraft: 'Eliminar borrador',
    reschedule: 'Cambiar la hora',
    previewAs: 'Vista previa como',
    withoutName: 'Un contacto sin nombre',
    showContacts: 'Ver estos contactos',
    allContacts: 'Todos los contactos',
    staticList:
      'Lista estática: contactos añadidos por una importación o por el comando «admin list add»',
    testSandbox:
      'Esta subcuenta es un entorno de pruebas: el correo de prueba no se envía. Confirme para verlo aquí.',
    ofTotal: (sent, total) => `${sent} de ${total}`,
    copyOf: (name) => `Copia de ${name}`,
    exampleContact: (name) => `${name} (ejemplo)`,
    noFirstName: (contact) => `${contact} (sin nombre de pila)`,
    quoted: (tag) => `«${tag}»`,
    withTags: (tags, count) =>
      plural(count, { one: `con la etiqueta ${tags}`, other: `con las etiquetas ${tags}` }),
    inStages: (stages) => `en la etapa ${stages}`,
    testTo: (email) => `El correo de prueba se enviará a ${email}.`,
    testAs: (name) => `Llevará los datos de ${name}.`,
    noneFound: (search) => `«${search}» no está entre los destinatarios`,
    notOnList: (list) =>
      list === undefined
        ? 'Ningún contacto así estaba en la lista al iniciarse la campaña.'
        : `Ningún contacto así estaba en la lista «${list}» al iniciarse la campaña.`,
    capturedWhere: 'Para leer un correo capturado, pulse «Ver correo» junto a su destinatario.',
  },
  recurring: {
    add: 'Nueva campaña recurrente',
    nameHint: 'Solo lo ve su equipo, no los destinatarios. Se le añade la fecha de cada envío.',
    repeats: 'Repetición',
    kinds: {
      month: 'Cada mes',
      week: 'Cada semana',
      day: 'Cada día',
      cron: 'Expresión cron',
    },
    day: 'Día',
    lastDay: 'Último día del mes',
    weekdays: 'Días de la semana',
    time: 'Hora',
    cronHint: 'Minuto, hora, día del mes, mes y día de la semana, por ejemplo 0 9 * * MON',
    skipped: 'Los meses sin este día se omiten.',
    removeText: 'Ya no se envía. Las campañas que creó se conservan.',
    dayOfMonth: (day) => String(day),
    daily: (time) => `cada día a las ${time}`,
    weekly: (days, time) => `cada ${days} a las ${time}`,
    monthly: (day, time) => `cada mes, el día ${day} a las ${time}`,
    onLastDay: (time) => `el último día de cada mes a las ${time}`,
    inZone: (words, zone) => `${words}, ${zone}`,
    runs: (words, zone) => `Se envía ${words}, ${zone}.`,
  },
};
