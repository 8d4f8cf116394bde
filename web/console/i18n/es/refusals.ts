import type { RefusalMessages } from '../refusals.ts';

export const esRefusals: RefusalMessages = {
  reasons: {
    already_decided: 'Esta solicitud ya está decidida o ha caducado. Vale la primera decisión.',
    ambiguous_phone:
      'Varios contactos tienen este teléfono. Elija el contacto en lugar de escribir el número.',
    changed_meanwhile:
      'El elemento se modificó mientras tanto. Vuelva a cargarlo y repita el cambio.',
    channel_not_configured:
      'Este canal no está configurado. Un admin lo conecta en Ajustes → Canales.',
    conversation_open: 'Ya hay otra conversación abierta con este contacto en este canal.',
    cursor_expired: 'La lista lleva demasiado tiempo abierta. Vuelva a cargar la página.',
    custom_values_too_large:
      'Estos valores son demasiado grandes en conjunto. Acorte o elimine algunos.',
    duplicate_email: 'Este correo pertenece a otro contacto.',
    duplicate_name: 'Otra vista ya tiene este nombre.',
    event_gone: 'El evento tiene más de 30 días y se eliminó.',
    file_storage:
      'El almacenamiento de archivos no está disponible ahora. Vuelva a intentarlo en un momento.',
    file_storage_full: 'Casi no queda espacio para más archivos. El operador debe liberar espacio.',
    file_type: 'Aquí no se aceptan archivos de este tipo. Cuenta el contenido, no el nombre.',
    files_not_supported:
      'Este canal no transmite estos archivos con el mensaje. Envíe menos, más pequeños, ninguno, o un enlace.',
    invalid_transition:
      'La cita no puede pasar de su estado actual a ese. Una cita futura no está ni completada ni perdida.',
    manifest_busy: 'Se está aplicando otro manifiesto. Inténtelo de nuevo en un momento.',
    not_failed: 'Solo se puede reenviar un mensaje que falló.',
    outside_messaging_window:
      'El contacto no ha escrito por este canal en las últimas 24 horas. El canal solo permite respuestas durante ese tiempo.',
    request_expired: 'Esta solicitud ha caducado. Vuelva a conectar el programa.',
    sent_again: 'Este mensaje ya se reenvió.',
    settings_too_large:
      'Los ajustes serían demasiado grandes. Elimine lo que ya no se usa o acorte plantillas.',
    subscription_of_agent: 'Esta suscripción pertenece a un agente y no se cambia aquí.',
    too_slow:
      'Aplicar el manifiesto lleva demasiado tiempo. Divídalo o utilice frontdesk admin apply.',
    too_many_addresses: 'Un contacto no puede tener tantas direcciones.',
    too_many_subscriptions: 'Una subcuenta no puede tener más suscripciones. Elimine una primero.',
    too_many_tags: 'Un contacto no puede tener tantas etiquetas.',
    too_many_views: 'No puede guardar más vistas. Elimine una primero.',
  },
  codes: {
    IDEMPOTENCY_IN_PROGRESS: 'La misma solicitud sigue en curso. Espere un momento.',
    INTERNAL_ERROR:
      'Se produjo un error en el servidor. Indique al operador el número de esta solicitud.',
    PAYLOAD_TOO_LARGE: 'Es demasiado grande.',
    RATE_LIMITED: 'Demasiadas solicitudes en poco tiempo. Espere un momento.',
    REQUEST_TIMEOUT: 'El envío tardó demasiado. Vuelva a intentarlo.',
    SERVICE_UNAVAILABLE:
      'El servidor no puede hacerlo en este momento. Vuelva a intentarlo pronto.',
    UNAUTHORIZED: 'Su sesión ha terminado. Vuelva a iniciar sesión.',
  },
};
