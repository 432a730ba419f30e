/** Joins class names; those that are false or undefined are left out. */
export const classNames = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ')
