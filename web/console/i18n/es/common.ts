import type { CommonMessages } from '../message-types.ts';

export const esCommon: CommonMessages = {
  common: {
    pending: 'En curso…',
    back: 'Volver',
    newRecord: 'Nuevo',
    cancel: 'Cancelar',
    clear: 'Borrar',
    close: 'Cerrar el diálogo',
    done: 'Listo',
    dismiss: 'Ocultar',
    loadMore: 'Cargar más',
    notices: 'Avisos',
    retry: 'Reintentar',
    save: 'Guardar',
    saved: 'Guardado',
    undo: 'Deshacer',
    unnamed: 'Sin nombre',
  },
  errors: {
    failed: 'No ha funcionado',
    forbidden: 'Su función no lo permite',
    forbiddenText: 'Pídaselo a un administrador de esta subcuenta, o pida otra función.',
    notFound: 'Este registro no existe o se ha eliminado',
    recentSignIn: 'Inicie sesión de nuevo para continuar',
    recentSignInText:
      'El último acceso debe ser de hace menos de 10 minutos. Cierre la sesión y vuelva a entrar.',
    unexpected: 'Algo ha ido mal',
    unreachable: 'No se puede acceder al servidor',
    tryAgain: 'Compruebe la conexión e inténtelo de nuevo.',
    request: (id) => `Solicitud ${id}`,
  },
  channels: {
    sms: 'SMS',
    email: 'Correo',
    gmail: 'Gmail',
    messenger: 'Messenger',
    instagram: 'Instagram',
    live_chat: 'Chat en vivo',
    social_dm: 'Mensaje directo',
  },
};
