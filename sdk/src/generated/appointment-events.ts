// Written by `node sdk/generate.ts` from the declarations in src/.

export interface AppointmentEvents {
  /** Fires when: an appointment was booked. */
  'appointment.booked': {
    appointmentId: string;
    calendarId: string;
    appointmentTypeId: string | null;
    appointmentTitle: string | null;
    /** epoch ms */
    startTime: number;
    /** epoch ms */
    endTime: number;
    status: 'scheduled' | 'confirmed';
  };
  /** Fires when: an appointment was cancelled. */
  'appointment.cancelled': {
    appointmentId: string;
    status: 'cancelled';
  };
  /** Fires when: an appointment was moved to another time. */
  'appointment.rescheduled': {
    appointmentId: string;
    /** epoch ms */
    startTime: number;
    /** epoch ms */
    endTime: number;
    status: 'scheduled' | 'confirmed';
  };
  /** Fires when: an appointment was confirmed. */
  'appointment.confirmed': {
    appointmentId: string;
    status: 'confirmed';
  };
  /** Fires when: an appointment was marked completed. */
  'appointment.completed': {
    appointmentId: string;
    status: 'completed';
  };
  /** Fires when: an appointment was marked as a no-show. */
  'appointment.no_show': {
    appointmentId: string;
    status: 'no_show';
  };
}
