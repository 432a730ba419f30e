/** The help pages in the order of their list, each with the screen that it explains. */
export const HELP_TOPICS = {
  record: '/pages/race/WinLossRecord',
  lab: '/pages/race/WinLossRecord?tab=lab',
  chances: '/pages/race/racehome',
  market: '/pages/race/racehome',
  console: '/pages/race/WinLossRecord?tab=console',
  own: '/pages/race/WinLossRecord?tab=own',
  notes: '/pages/user/notes',
} as const

export type HelpTopic = keyof typeof HELP_TOPICS
