import type { ShellMessages } from '../message-types.ts';

export const esShell: ShellMessages = {
  nav: {
    more: 'Más',
    main: 'Navegación principal',
    inbox: 'Bandeja',
    contacts: 'Contactos',
    calendar: 'Calendario',
    opportunities: 'Oportunidades',
    tasks: 'Tareas',
    campaigns: 'Campañas',
    workflows: 'Flujos',
    webhooks: 'Webhooks',
    approvals: 'Aprobaciones',
    settings: 'Ajustes',
    skip: 'Ir al contenido',
  },
  shell: {
    timesIn: (zone) => `Horas en ${zone}`,
    switchSubAccount: 'Subcuenta',
    sandbox: 'Pruebas',
    noSubAccount: 'Aún no hay subcuenta',
    adminsOnly: 'Solo para administradores',
    adminsOnlyText: (name) => `Pídaselo a un administrador de ${name}, o pida otra función.`,
    noSubAccountText:
      'No pertenece a ninguna subcuenta. Pida una invitación a un propietario de esta instalación.',
    firstSubAccountText:
      'Cree la primera: contiene los contactos, las conversaciones y los calendarios de una empresa o una marca.',
    account: 'Cuenta',
    addPasskey: 'Añadir una clave de acceso',
    passkeyAdded: 'Clave de acceso añadida',
    passkeyFailed: 'La clave de acceso no se ha añadido',

    picture: 'Su foto',
    pictureText: 'La ve su equipo, y en el chat aparece junto a sus respuestas.',
    choosePicture: 'Elegir una foto',
    deletePicture: 'Eliminar la foto',
    pictureSaved: 'Foto guardada',
    pictureDeleted: 'Foto eliminada',
    pictureWrong: 'Elija una imagen PNG, JPEG o WebP.',

    signOut: 'Cerrar sesión',
    theme: 'Tema',
    themeSystem: 'Sistema',
    themeLight: 'Claro',
    themeDark: 'Oscuro',
    language: 'Idioma',

    notificationsOn: 'Avisar de mensajes nuevos',
    notificationsOff: 'No avisar',

    offline: 'Sin conexión. Los cambios aparecerán cuando vuelva la conexión.',

    notHere: 'Esta página no existe',
    notHereText: 'Compruebe la dirección o elija una página en la navegación.',
    newMessage: (name) => `Mensaje nuevo de ${name}`,
  },
  palette: {
    title: 'Paleta de comandos',
    search: 'Buscar contactos, oportunidades y acciones',
    go: (page) => `Ir a ${page}`,
    actions: 'Acciones',
    contacts: 'Contactos',
    results: 'Resultados',
    nothing: 'Sin resultados',
  },
  keys: {
    title: 'Atajos de teclado',
    anywhere: 'En todas partes',
    inbox: 'Bandeja',
    palette: 'Abrir la paleta de comandos',
    help: 'Mostrar los atajos',
    next: 'Conversación siguiente',
    previous: 'Conversación anterior',
    reply: 'Responder',
    note: 'Escribir una nota interna',
    closeConversation: 'Cerrar la conversación',
    snooze: 'Posponer',
    assign: 'Asignar',
    unread: 'Marcar como no leída',
    send: 'Enviar la respuesta',
  },
  signIn: {
    title: 'Iniciar sesión',
    email: 'Correo',
    sendLink: 'Enviar enlace de acceso',
    passkey: 'Usar una clave de acceso',
    oidc: 'Iniciar sesión con OpenID Connect',
    refusals: {
      unavailable:
        'El servicio de inicio de sesión no responde. Inténtelo de nuevo en un minuto o inicie sesión de otra forma.',
      denied: 'Se canceló el inicio de sesión.',
      expired:
        'El inicio de sesión duró más de 10 minutos o comenzó en otro navegador. Inténtelo de nuevo.',
      failed: 'La respuesta del servicio de inicio de sesión no es válida. Inténtelo de nuevo.',
      unverified: 'Su servicio de inicio de sesión no ha verificado su correo electrónico.',
      unknown:
        'No hay ningún usuario con su correo electrónico. Pida una invitación a un administrador.',
      disabled: 'Su usuario está desactivado. Consulte a un administrador.',
    },
    or: 'o',
    sentTitle: 'Revise su correo',
    sentText: (email) =>
      `Si ${email} tiene una cuenta, recibirá un enlace. Funciona una vez, durante 15 minutos.`,
    otherEmail: 'Usar otra dirección',
    linkText: 'Su enlace de acceso está listo. Funciona una vez.',
    signIn: 'Iniciar sesión',
    linkFailed: 'Este enlace ya se ha usado o ha caducado',
    linkFailedText: 'Pida uno nuevo abajo.',
    passkeyFailed: 'La clave de acceso no se ha aceptado',
    commandLine: 'Un operador de esta instalación puede crear un enlace para usted:',
    localCommand:
      'Si ejecuta Frontdesk con «npm start»: abra otra terminal en la misma carpeta, ejecute las líneas export que mostró «npm start» y después este comando como «bin/frontdesk …».',
    noMailTitle: 'Aquí no hay correo configurado',
    noMailHint:
      'Esta instalación no envía correo. «Enviar enlace de acceso» indica qué pedir al operador.',
  },
};
