/**
 * Whether the engine's message is about a function, a cast or a collation that DuckDB has only with its extension ICU.
 */
export const isIcuMissing = (reason: string): boolean =>
  /\bicu\b|\btimezone\(|TIMESTAMP WITH TIME ZONE|collation with name|"?TimeZone"?/i.test(reason)
