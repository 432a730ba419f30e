/** DuckDB's reserved keywords, which cannot be used as unquoted names. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create default
   deferrable desc describe distinct do else end except false fetch for foreign from group having in initially intersect
   into lambda lateral leading limit not null offset on only or order pivot placing primary qualify references returning
   select show some summarize symmetric table then to trailing true union unique unpivot using variadic when where window
   with`.split(/\s+/),
)

/** A column's name for use in a statement: quoted if it would otherwise be misread. */
export const sqlName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll('"', '""')}"`
