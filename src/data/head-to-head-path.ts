/** Path of the races that two horses both ran in; without the other one, of the screen that asks for it. */
export const headToHeadPath = (id: string, other?: string): string =>
  `/pages/race/HeadToHead?${new URLSearchParams({ id, ...(other === undefined ? {} : { other }) })}`
