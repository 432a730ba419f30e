/** Files of `locales/` that only some screens need, each a chunk of its own; the others come with every screen. */
const EXTRA_PARTS = [
  'account',
  'alerts',
  'card',
  'chances',
  'console',
  'follow',
  'head-to-head',
  'help',
  'horse',
  'lab',
  'notes',
  'own',
  'pace',
  'palette',
  'picture',
  'promotion',
  'race',
  'race-day',
  'report',
  'results',
  'tips',
  'trial',
  'workspace',
] as const
export type ExtraPart = (typeof EXTRA_PARTS)[number]

export const isExtraPart = (file: string): file is ExtraPart => EXTRA_PARTS.some((part) => part === file)
