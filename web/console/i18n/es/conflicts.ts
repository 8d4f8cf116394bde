import type { ConflictMessages } from '../message-types.ts';

export const esConflicts: ConflictMessages = {
  changedMeanwhile: 'Otra persona lo ha cambiado entretanto',
  changedBy: (name: string, at: string): string => `Cambiado entretanto por ${name} (${at})`,
  conflictText: (fields: string): string =>
    `Cambiado: ${fields}. Aún no se ha guardado nada. Lo que ha escrito se conserva; los demás campos muestran los valores nuevos. Revíselos y guarde de nuevo.`,
  otherFields: 'ajustes que no están en este formulario',
  removedText:
    'La entrada se eliminó. Aún no se ha guardado nada. Guarde de nuevo para crearla con sus valores.',
  takenText:
    'Se añadió una entrada con la misma clave. Aún no se ha guardado nada. Guarde de nuevo para añadir la suya con otra clave.',
  conflictIn: (entries: string): string =>
    `Cambiado: ${entries}. Aún no se ha guardado nada y su texto se conserva. «Ver cambios» muestra lo que se desharía al guardar.`,
  saveAnyway: 'Guardar de todos modos',
  discard: 'Descartar mi texto y recargar',
};
