/** A name of SQL, `race_key` or `horse_no_1`, as a name of TypeScript, `raceKey` or `horseNo1`. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

/** The TypeScript name of an SQL name; a name without underscores stays as it is. */
export const camelCase = <Name extends string>(name: Name): CamelCase<Name> =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>
