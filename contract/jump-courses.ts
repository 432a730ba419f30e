/** The `course` of races over jumps; each has a name in every language (`jumps.…` in `locales/en/racing.json`). */
export const JUMP_COURSES = ['hurdle', 'chase'] as const
