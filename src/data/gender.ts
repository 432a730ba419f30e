/** 0: not specified, 1 and 2: the dictionary `gender`. */
export type Gender = 0 | 1 | 2

/** Converts the form's choice to the contract's value. */
export const genderOf = (value: string | number): Gender =>
  Number(value) === 1 ? 1 : Number(value) === 2 ? 2 : 0
