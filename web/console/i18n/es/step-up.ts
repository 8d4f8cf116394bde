import type { StepUpMessages } from '../message-types.ts';

export const esStepUp: StepUpMessages = {
  title: 'Confirme su identidad',
  text: 'Esta acción requiere un acceso de hace menos de 10 minutos, para que nadie pueda abusar de un ordenador desatendido. Lo que ha escrito se conserva.',
  passkey: 'Confirme con su clave de acceso.',
  mail: (email) => `O use un enlace enviado a ${email}: ábralo en este navegador y continúe aquí.`,
  mailOnly: (email) =>
    `Envíe un enlace de acceso a ${email}, ábralo en este navegador y continúe aquí.`,
  sent: (email) => `Un enlace va de camino a ${email}. Ábralo en este navegador y continúe aquí.`,
  noMail:
    'Esta instalación no envía correo. Cree un enlace de acceso nuevo en el servidor con este comando o pídalo a otro propietario (Agencia, Usuarios):',
  command: 'Comando',
  openLink: 'Abra el enlace en otra pestaña de este navegador y continúe aquí.',
  continue: 'Continuar',
  notYet:
    'Todavía no hay un acceso nuevo. Abra primero el enlace en este navegador y pulse «Continuar» otra vez.',
  offerTitle: 'Asegúrese de poder volver a entrar',
  offerAdd: 'Configurar una clave de acceso',
  offerText:
    'Esta instalación no envía correo: sin clave de acceso, cada acceso necesita un enlace nuevo. Una clave de acceso es la huella, la cara o el PIN de este dispositivo.',
  offerLater: 'Ahora no',
};
