import type { Messages } from './en.ts';

const reminder = ({ before, channel }: { readonly before: string; readonly channel: string }) =>
  `El recordatorio de ${before} antes (${channel})`;

const step = ({ place, step: name }: { readonly place: string; readonly step: string }) =>
  `El paso ${place} (${name})`;

const because = (detail: string | null) =>
  detail === null ? '; no hay ningún detalle guardado' : `: ${detail}`;

const LOG_OF_WORKER =
  'El registro del worker indica, con el ID del mensaje, el código de error de cada intento fallido.';

export const spanish: Messages = {
  channels: {
    sms: 'SMS',
    email: 'correo electrónico',
    messenger: 'Messenger',
    instagram: 'Instagram',
    gmail: 'Gmail',
    live_chat: 'chat en vivo',
    social_dm: 'otras redes sociales',
  },
  contact: {
    deleted: 'El contacto se eliminó.',
    optedOut: (channel, reason) =>
      `Una dirección del contacto está dada de baja (${channel}): ${reason}.`,
    optOutReasons: {
      unsubscribe: 'se solicitó la baja',
      stop: 'respondió STOP',
      bounce: 'un correo enviado a ella fue devuelto',
    },
    doNotDisturb: (channel) => `El contacto está en «No molestar» (${channel}).`,
    doNotDisturbAll: 'El contacto está en «No molestar» en todos los canales.',
    noEmail: 'El contacto no tiene dirección de correo electrónico.',
    noPhone: 'El contacto no tiene número de teléfono.',
  },
  noProvider: (channel) => `No hay ningún proveedor configurado para este canal (${channel}).`,
  appointment: {
    completed: 'La cita está completada.',
    cancelled: 'La cita está cancelada.',
    no_show: 'Nadie acudió a la cita.',
    noContact: 'La cita no tiene contacto.',
  },
  confirmation: {
    none: 'El calendario no tiene confirmación.',
    series: 'La primera cita de la serie las confirma todas.',
    begun: 'La cita había empezado antes de que se enviara una confirmación.',
    waits: (channel) => `La confirmación (${channel}) espera a un worker, que la enviará.`,
    notPlanned:
      'No habrá ninguna: cuando la cita se reservó o se movió, el calendario no tenía confirmación, o se abandonaron los intentos de escribirla.',
    notSent: 'No se envió ninguna confirmación.',
    wrote: (channel) => `La confirmación (${channel}) se redactó.`,
    is: (channel, to) =>
      `La confirmación es un mensaje (${channel}) a ${to ?? 'una dirección desconocida'}.`,
  },
  reminder: {
    none: 'El calendario no tiene recordatorios.',
    begun: 'La cita había empezado antes de que se enviara el recordatorio.',
    is: (it, to) => `${reminder(it)} es un mensaje a ${to ?? 'una dirección desconocida'}.`,
    wasSent: (it) => `${reminder(it)} se envió.`,
    wasNotSent: (it) => `${reminder(it)} no se envió.`,
    isNotSent: (it) => `${reminder(it)} no se envía.`,
    isDue: (it, at) => `${reminder(it)} está previsto: ${at}.`,
    isDueInVain: (it, at) =>
      `${reminder(it)} está previsto: ${at}. Tal como están las cosas, no se enviará.`,
    dueBeforeBooking: (at) => `Estaba previsto antes de que se reservara la cita: ${at}.`,
    dueBeforeChange: (at) => `Estaba previsto antes de que se modificara la cita: ${at}.`,
  },
  message: {
    received: 'El mensaje se recibió.',
    internalNote: 'El mensaje es una nota interna: las notas no se envían.',
    canSend: 'Aquí se pueden enviar mensajes.',
    captured: 'El entorno de pruebas capturó el mensaje: no se envió a nadie.',
    sent: (at) => `El mensaje se envió${at === null ? '' : `: ${at}`}.`,
    delivered: (at) => `El mensaje se entregó${at === null ? '' : `: ${at}`}.`,
    read: (at) => `El mensaje se leyó${at === null ? '' : `; entregado: ${at}`}.`,
    waits: `El mensaje espera a ser enviado. ${LOG_OF_WORKER}`,
    waitsForAttempt: (attempt, at) =>
      `El mensaje espera a ser enviado; intento ${attempt}: ${at}. ${LOG_OF_WORKER}`,
    accepted: 'El proveedor aceptó el mensaje y aún no ha comunicado si se envió.',
    notSent: (reason) => `El mensaje no se envió: ${reason}.`,
    failedAfterSending: (at, reason) =>
      `El mensaje se envió (${at}), pero no se entregó: ${reason}.`,
    bounced: (reason) => `El mensaje fue devuelto: ${reason}.`,
    refused: (code, said) =>
      `El mensaje no se envió: el servidor de correo lo rechazó con su código ${code}: ${said}.`,
    unknown:
      'No se sabe si el mensaje se envió: la conexión se cortó mientras el proveedor lo recibía. Puede que haya llegado, por eso no se reenvía automáticamente.',
    sentAgain: (at) => `El mensaje se reenvió: ${at}. Resultado:`,
    noReason: 'el proveedor no dio ningún motivo',
    reasons: {
      channel_not_configured: 'no hay ningún proveedor configurado para el canal',
      contact_deleted: 'el contacto se eliminó antes del envío',
      file_missing: 'falta un archivo del mensaje en el almacenamiento; vuelva a subirlo',
      dnd: 'el contacto se dio de baja antes del envío',
      internal_error: 'un error inesperado; el registro del worker indica la causa',
      invalid_answer: 'el proveedor dio al mensaje el ID de otro mensaje',
    },
  },
  delivery: {
    succeeded: (status) => `El receptor respondió ${status}.`,
    succeededLater: ({ attempt, status }) =>
      `El intento ${attempt} tuvo éxito: el receptor respondió ${status}.`,
    workersPaused: (reason) =>
      `Todos los workers están en pausa${reason === null ? '' : `: ${reason}`}. frontdesk admin release los reanuda.`,
    dueSince: (attempt, at) => `El intento ${attempt} está pendiente desde: ${at}.`,
    madeAt: (attempt, at) =>
      at === null
        ? `El intento ${attempt} es el siguiente.`
        : `El intento ${attempt} está previsto: ${at}.`,
    noResponse: (attempt, error) =>
      `El intento ${attempt} no obtuvo respuesta: ${error ?? 'motivo desconocido'}.`,
    notSent: {
      deleted: (attempt) => `El intento ${attempt} no se envió: la suscripción se eliminó.`,
      disabled: (attempt) => `El intento ${attempt} no se envió: la suscripción se desactivó.`,
    },
    checkUrl: 'Compruebe la URL de la suscripción y que el receptor funciona.',
    badStatus: ({ attempt, status }) =>
      `El receptor respondió al intento ${attempt} con el estado ${status}; solo cuenta 2xx.`,
    responseBegins: (text) => `Su respuesta empieza así: «${text}».`,
    fixReceiver: 'Corrija el receptor.',
    noRetry:
      'Frontdesk no lo vuelve a intentar por sí mismo. En cuanto el receptor funcione, reintente la entrega.',
    deleted: 'La suscripción se eliminó.',
    disabled: (reason) => `La suscripción está desactivada: ${reason ?? 'se apagó'}.`,
    byRequest: 'se apagó',
    breaker: ({ failures, nextAt, waiting }) =>
      `Los últimos ${failures} intentos fallaron, por lo que Frontdesk prueba una sola entrega a la vez hasta que una tenga éxito. ` +
      `Próximo intento: ${nextAt ?? 'ahora'}. Eventos que esperan su primer intento: ${waiting}.`,
    notSelected: (event) => `La suscripción no incluye ${event}.`,
    beforeSubscription: 'El evento es anterior a la suscripción; «Repetir» lo envía.',
    waits: 'El evento espera su primer intento.',
    passedOver:
      'Cuando ocurrió el evento, la suscripción estaba apagada o no incluía eventos con ese nombre.',
  },
  trigger: {
    statuses: {
      running: 'Se inició una ejecución; está en curso.',
      waiting: 'Se inició una ejecución; está en espera.',
      completed: 'Se inició una ejecución; está completada.',
      cancelled: 'Se inició una ejecución; se canceló.',
      failed: 'Se inició una ejecución; falló.',
    },
    skipped: (error) => `El evento se omitió: ${error}.`,
    loop: 'Los flujos se inician unos a otros en bucle.',
    tooOften: 'Los flujos se inician unos a otros demasiadas veces.',
    inactive: 'El flujo no está activo.',
    noTrigger: (event) => `Ningún desencadenante espera ${event}.`,
    doesNotFit: (filters) => `Los datos del evento no se ajustan a ${filters.join(' o ')}.`,
    beforeActivation: 'El evento es anterior al flujo o a su activación.',
    waits: 'El evento aún no se ha leído.',
    contactDeleted: 'El contacto se eliminó: no se inician ejecuciones para él.',
    alreadyRunning:
      'Una ejecución del contacto no había terminado, y el flujo no permite una segunda.',
    changedSince:
      'El flujo ha cambiado desde entonces: su definición actual iniciaría una ejecución.',
  },
  step: {
    allTaken: 'Se realizaron todos los pasos.',
    skipped: (it) => `${step(it)} se omitió${because(it.detail)}.`,
    failed: (it) => `${step(it)} falló${because(it.detail)}.`,
    timed_out: (it) => `${step(it)} esperó demasiado${because(it.detail)}.`,
    waits: ({ place, event, until }) =>
      `La ejecución espera en el paso ${place}${event === null ? '' : ` (${event})`}${until === null ? '' : `, como máximo hasta: ${until}`}.`,
    fails: ({ place, attempts, until }) =>
      `La llamada del paso ${place} falló en el intento ${attempts} y se repetirá${until === null ? '' : `: ${until}`}. El registro del worker indica el motivo, con el ID de la ejecución.`,
    cancelledBy: (name) => `La ejecución fue cancelada por ${name}.`,
    endedWith: {
      completed: (error) => `La ejecución está completada: ${error}.`,
      cancelled: (error) => `La ejecución se canceló: ${error}.`,
      failed: (error) => `La ejecución falló: ${error}.`,
    },
  },
  recipient: {
    sent: 'El correo se envió.',
    cancelled: 'La campaña se canceló antes de que se enviara este correo.',
    merged: 'El contacto se fusionó y recibe este correo en otra dirección.',
    optedOut:
      'Cuando le tocaba el turno, la dirección estaba dada de baja o el contacto se había eliminado.',
    unknown:
      'Es posible que el servidor aceptara el correo: el worker se detuvo antes de la respuesta. No se envía dos veces.',
    refused: (code, said) =>
      `El servidor de correo rechazó el correo con su código ${code}: ${said}.`,
    failed: (reason) => `El envío del correo falló: ${reason}.`,
    noReason: 'no se dio ningún motivo',
    waits: 'El correo espera su turno.',
    triedAgain: 'Frontdesk lo intentará de nuevo.',
    held: (code) => `La campaña está detenida: ${code}.`,
    later: 'El contacto se unió a la lista, o se modificó, después de elegir a quién se enviaría.',
    notStarted: {
      draft: 'La campaña no ha empezado; es un borrador.',
      scheduled: 'La campaña no ha empezado; está programada.',
      held: 'La campaña no ha empezado; está retenida.',
      cancelled: 'La campaña no ha empezado; está cancelada.',
      other: 'La campaña no ha empezado.',
    },
    heldBecause: (code) => `La campaña no ha empezado; está retenida: ${code}.`,
    notMatched: 'El contacto no cumple el filtro de la lista.',
    notListed: 'El contacto no está en la lista.',
  },
};
