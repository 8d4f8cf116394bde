/** The sample records of the demo. All people are invented. */

/** First name, last name, company. The position decides the other fields. */
export const PEOPLE: readonly (readonly [string, string, string?])[] = [
  ['Amelia', 'Hartmann', 'Hafen Logistik'],
  ['Noah', 'Bergström'],
  ['Sofia', 'Marchetti', 'Studio Marchetti'],
  ['Leon', 'Fischer'],
  ['Emma', 'Kowalski'],
  ['Lucas', 'Dubois', 'Dubois & Fils'],
  ['Mia', 'Schneider'],
  ['Elias', 'Yılmaz', 'Anker Bau'],
  ['Clara', 'Nielsen'],
  ['Jonas', 'Weber'],
  ['Ida', 'Okafor', 'Nordlicht Medien'],
  ['Felix', 'Novák'],
  ['Hannah', 'Vogel'],
  ['Paul', 'Lindqvist'],
  ['Lina', 'Haddad', 'Haddad Catering'],
  ['Theo', 'Brandt'],
  ['Marta', 'Silva'],
  ['Oskar', 'Jensen', 'Werft Jensen'],
  ['Nora', 'Keller'],
  ['Samuel', 'Adeyemi'],
  ['Greta', 'Lorenz'],
  ['Matteo', 'Ricci', 'Caffè Ricci'],
  ['Frieda', 'Simon'],
  ['David', 'Horváth'],
  ['Julia', 'Petersen'],
  ['Anton', 'Maier', 'Maier Optik'],
  ['Leyla', 'Demir'],
  ['Henry', 'Clarke'],
  ['Alma', 'Sørensen'],
  ['Karl', 'Richter'],
  ['Zoe', 'Papadopoulos', 'Taverna Zoe'],
  ['Ben', 'Krüger'],
  ['Rosa', 'Fernández'],
  ['Milan', 'Jovanović'],
  ['Elsa', 'Winkler'],
  ['Jan', 'de Vries', 'De Vries Yachting'],
  ['Ella', 'Baumann'],
  ['Tom', 'Sullivan'],
  ['Charlotte', 'Moreau'],
  ['Emil', 'Hansen'],
];

interface Thread {
  /** The position of the contact in PEOPLE. */
  readonly who: number;
  readonly channel: 'email' | 'sms';
  readonly subject?: string;
  /** In turn; those of the practice begin with `>`. */
  readonly lines: readonly string[];
}

export const THREADS: readonly Thread[] = [
  {
    who: 0,
    channel: 'email',
    subject: 'Moving my cleaning',
    lines: [
      'Good morning, something came up at work. Could I move my cleaning to the afternoon?',
      '> Of course, {{firstName}}. We have 14:00 and 15:30 on the same day. Which one suits you?',
      '14:00 is perfect, thank you!',
    ],
  },
  {
    who: 3,
    channel: 'email',
    subject: 'Cost estimate for a crown',
    lines: [
      'Could you tell me what a ceramic crown costs? My insurance asks for an estimate.',
      '> A crown starts at 650 euros. After the check-up we send you a written estimate.',
    ],
  },
  {
    who: 5,
    channel: 'email',
    subject: 'Invoice to my company',
    lines: ['Please send the invoice of my last visit to Dubois & Fils.'],
  },
  {
    who: 8,
    channel: 'email',
    subject: 'First visit',
    lines: [
      'We are new in the city and looking for a dentist for the whole family. Do you treat children?',
      '> Welcome! Yes, from the age of three. You can book a first check-up here: {{custom_values.booking_link}}',
    ],
  },
  {
    who: 14,
    channel: 'email',
    subject: 'X-ray',
    lines: ['My former dentist has sent you an X-ray. Has it arrived?'],
  },
  {
    who: 1,
    channel: 'sms',
    lines: ['Running 10 minutes late, sorry!', '> No problem, see you soon.'],
  },
  {
    who: 6,
    channel: 'sms',
    lines: [
      'Is it normal that the tooth is still sensitive?',
      '> For up to three days, yes.',
      'Ok, thanks',
    ],
  },
  { who: 11, channel: 'sms', lines: ['Do you have anything free this Friday?'] },
  {
    who: 17,
    channel: 'sms',
    lines: ['Can I pay by card?', '> Yes, with all common cards.'],
  },
  { who: 22, channel: 'sms', lines: ['Please call me back about the appointment.'] },
];

export const CHATS: readonly (readonly [who: number, text: string])[] = [
  [26, 'Hello, do you offer whitening?'],
  [30, 'Is there parking at the practice?'],
  [37, 'I chipped a tooth. How soon can someone have a look?'],
];

/** Name, value, stage, and how it ended. */
export const DEALS: readonly (readonly [
  name: string,
  value: number,
  stage: string,
  end?: 'won' | 'lost',
])[] = [
  ['Implant, lower left', 2_400, 'consultation'],
  ['Aligners', 3_900, 'plan'],
  ['Ceramic crown', 650, 'plan'],
  ['Whitening', 390, 'new'],
  ['Veneers, six teeth', 4_800, 'consultation'],
  ['Company check-ups', 2_250, 'new'],
  ['Night guard', 320, 'won', 'won'],
  ['Bridge, upper right', 1_850, 'plan'],
  ['Aligners, teenager', 3_200, 'won', 'won'],
  ['Implant, upper right', 2_600, 'consultation', 'lost'],
  ['Inlays', 980, 'new'],
  ['Family package', 540, 'new'],
];

/** Title, days until it is due (negative: overdue). */
export const TASKS: readonly (readonly [
  title: string,
  days: number,
  priority: 'low' | 'medium' | 'high' | 'urgent',
])[] = [
  ['Send the estimate for the crown', 0, 'high'],
  ['Ask the laboratory for the aligners', 1, 'medium'],
  ['Call back about the appointment', 0, 'urgent'],
  ['Check whether the X-ray has arrived', 1, 'medium'],
  ['Order gloves and masks', 3, 'low'],
  ['Remind of the company check-ups', 5, 'medium'],
  ['Update the price list for January', 14, 'low'],
  ['Prepare the room for the implant', 2, 'high'],
  ['Thank for the recommendation', 4, 'low'],
  ['Collect feedback on the booking page', 7, 'low'],
];
