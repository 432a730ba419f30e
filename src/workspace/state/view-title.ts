/** What an address that opens a named view leaves in the history: its title, until the view is changed. */
interface TitleState {
  title: string
}

export const titleState = (title: string): TitleState => ({ title })

/** The title in the state of a history entry; `null` without one. */
export function titleIn(state: unknown): string | null {
  const { title } = (state ?? {}) as Partial<TitleState>
  return typeof title === 'string' ? title : null
}
