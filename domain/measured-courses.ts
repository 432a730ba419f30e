const MEASURED: readonly string[] = ['HKSHT', 'HKHAV']

/** Whether a course of the racecourse of a race has measures (`course-outline.ts`), so that something can be drawn. */
export const isMeasured = (raceId: string): boolean => MEASURED.some((course) => raceId.startsWith(course))
