/** Path of the races that two horses both ran in. */
export const headToHeadPath = (id: string, other: string): string =>
  `/pages/race/HeadToHead?${new URLSearchParams({ id, other })}`
